/** What a score is made of. Each can be set to 0, to see what it is good for. */
export interface Weights {
  /** BM25's saturation and length, for passages. */
  saturation: number
  length: number
  /** How much of a neighbour's words a passage has itself, per step … */
  neighbour: number
  /** … and the length (terms) at which it needs half of that. */
  needsNone: number
  /** The whole session's own score, beside its best passage's. */
  whole: number
  title: number
  /** A date that the query names and the session or one of its passages has; half of it for any, half as the words match. */
  date: number
  /** What stands for the person's own words: another language's, another spelling's. */
  glossary: number
  /** What only stands beside them. */
  related: number
  near: number
  /** A word of an identifier whose whole is known. */
  inWhole: number
  /** Chinese bigrams overlap: each counts less than a word. */
  bigram: number
  /** A word that the query has several times. */
  repeated: number
  /** Exponent of a term's weight: below 1, several fair words beat one rare one. */
  evenness: number
  /** How many passages the shipped table weighs as much as, against what was counted here. */
  table: number
  /** Priors, as shares of the score: things settled; things new (halved every `halfLife` days). */
  settled: number
  recency: number
  halfLife: number
}

export const defaultWeights: Weights = {
  saturation: 0.9,
  length: 0.6,
  neighbour: 0.5,
  needsNone: 60,
  whole: 0.4,
  title: 0.5,
  date: 6,
  glossary: 0.4,
  related: 0.05,
  near: 0.5,
  inWhole: 0.3,
  bigram: 0.6,
  repeated: 0.1,
  evenness: 1,
  table: 200,
  settled: 0.04,
  recency: 0.08,
  halfLife: 60,
}
