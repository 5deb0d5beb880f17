/** A text without a client's `<name …>…</name>` blocks, and without the space behind them. One that isn't closed stays. */
export function withoutEnvelope(text: string, name: string): string {
  if (!text.includes(`</${name}>`)) return text
  let kept = ''
  let from = 0
  let opened = 0
  let depth = 0
  for (const tag of text.matchAll(new RegExp(`<(/?)${name}(?:\\s[^<>]*)?>`, 'g'))) {
    if (tag[1] === '') {
      if (depth++ === 0) opened = tag.index
    } else if (depth > 0 && --depth === 0) {
      kept += text.slice(from, opened)
      from = tag.index + tag[0].length
      while (/\s/.test(text.charAt(from))) from++
    }
  }
  return kept + text.slice(from)
}
