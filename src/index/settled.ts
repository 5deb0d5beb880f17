import type { Passage } from './passage.ts'

/** A decision or a cause told. */
const told =
  /\b(?:decided|decision|settled on|we(?:'ll| will) (?:use|keep|go with)|go(?:ing)? with|chose|instead of|root cause|the (?:cause|reason|culprit|fix)|turned out|because|so that|from now on|always|never|must not|the trick|solved|resolved)\b/i
/** Something was mended or made, and the answer says so. */
const mended =
  /\b(?:fixed|now (?:works|passes|green)|all (?:tests )?pass(?:es|ing)?|works now|done[:.]|implemented|reverted|migrated|renamed|replaced)\b/i
const toldElsewhere =
  /决定|定为|改为|改用|采用|原因是|根因|因为|修复|解决|已改|改好|решили|решено|выбрали|причина|потому что|исправ|починил|вместо|оказалось/iu

/**
 * How much a passage looks like one in which something was settled, 0 to 1: a prior among passages that match alike, never
 * a reason to show one.
 */
export function settledIn(passage: Passage): number {
  const said = `${passage.answer}\n${passage.summary}`
  let settled = 0
  if (told.test(said) || toldElsewhere.test(said)) settled += 0.5
  if (mended.test(said)) settled += 0.25
  if (told.test(passage.prompt) || toldElsewhere.test(passage.prompt)) settled += 0.25
  return Math.min(1, settled)
}
