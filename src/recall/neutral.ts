/** Makes recorded text harmless: it can neither end the frame it is quoted in nor pose as an agent's own envelope. */

/** ANSI sequences: CSI, OSC with its terminator, and the two-character ones. */
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/g

/** Control characters but newline and tab; soft hyphen, zero-width and bidi marks; language tags; lone surrogates; private-use. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{e0000}-\u{e0fff}]|\p{Cs}/gu

/**
 * How a bracket may be written: itself, its wide and small forms, as an entity (escaped again or not), escaped for JSON
 * or a URL. A run of backslashes is tried from its start alone: from each of them, 40,000 took eleven seconds.
 */
const opening = String.raw`(?:[<\uff1c\ufe64]|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|(?<!\\)\\+(?:u00|x)3c|%(?:25)*3c)`

/** What stands between the words of a name: `system-reminder`, `SYSTEM_REMINDER`, `system reminder`. */
const joint = String.raw`[\s_.\p{Pd}:]{0,3}`

/**
 * Names of envelopes: deja's own and those that the agents put around what is not the person's: a tag by one of these
 * names is an imitation, wherever it stands in a recorded text.
 */
const envelopes = [
  'system reminder',
  'system',
  'hook context',
  'user query',
  'turn meta',
  'ide context',
  'command message',
  'command name',
  'command args',
  'local command \\w+',
  'bash (?:input|stdout|stderr)',
  'codewhale',
  'conversation history summary',
  'summary',
  'cb summary',
  'tool use error',
  'tool result',
  'tool call',
  'tool response',
  'persisted output',
  'repair note',
  'task notification',
  'teammate message',
  'function calls?',
  'function results?',
  'invoke',
  'parameter',
  'antml',
  'user',
  'human',
  'assistant',
  'developer',
  'instructions?',
  'think(?:ing)?',
  'reasoning',
  'important',
].map(name => name.replaceAll(' ', joint))

const tag = new RegExp(
  String.raw`${opening}\s{0,8}((?:[/\\\uff0f]|&(?:amp;)*(?:sol|#0*47|#x0*2f);?|%(?:25)*2f)*)\s{0,8}(?=deja${joint}recall|(?:${envelopes.join('|')})(?![\p{L}\p{N}]))`,
  'giu',
)

/** Model turns in raw form: `<|im_start|>`, `<<SYS>>`, `[INST]`. */
const turnMarks = /<\s{0,4}\||\|\s{0,4}>|<<\s{0,4}(?=\/?\s{0,4}sys\b)|\[\s{0,4}(?=\/?\s{0,4}inst\b)/gi

/** Lines that an agent puts in brackets: `[hook context]`, `[approval] …`, `[tool_history_repair]`. */
const bracketed = new RegExp(
  String.raw`[\[\uff3b\u3010](?=\s{0,4}(?:${[
    'hook context',
    'approval',
    'runtime(?: event)?',
    'tool history repair',
    'compaction summary',
    'branch summary',
    'codewhale',
    'system(?: reminder)?',
    'request interrupted',
    'user',
    'assistant',
    'developer',
    'deja recall',
  ]
    .map(name => name.replaceAll(' ', joint))
    .join('|')})(?![\p{L}\p{N}]))`,
  'giu',
)

/** A turn's speaker in front of a line. */
const speaker = /^([ \t>*#-]{0,8}(?:human|user|assistant|system|developer|tool))[ \t]{0,4}[:\uff1a]/gim

/**
 * A recorded text as it may be quoted: control, bidi and zero-width characters and terminal sequences gone; tags,
 * bracketed lines and speakers that would imitate an envelope broken up, entity-escaped and wide ones included. Newlines
 * and everything else stay.
 */
export function neutral(text: string): string {
  let plain = text
    .replace(ansi, '')
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(unseen, '')
  // What was broken up may stand in what comes together: once more until nothing changes (each round only removes openers).
  for (let round = 0; round < 8; round++) {
    const next = plain
      .replace(tag, (_, slashes: string) => (slashes === '' ? '‹' : '‹/'))
      .replace(turnMarks, '‹')
      .replace(bracketed, '(')
      .replace(speaker, '$1·')
    if (next === plain) break
    plain = next
  }
  return plain
}

/** The same on one line: white space in runs becomes one blank, so that a quote can't set up lines of its own. */
export function neutralLine(text: string): string {
  return neutral(neutral(text).replaceAll(/\s+/g, ' ').trim())
}
