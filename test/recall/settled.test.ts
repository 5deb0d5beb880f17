import { describe, expect, it } from 'vitest'
import {
  announcesOnly,
  isConclusion,
  isHollow,
  isOpen,
  isQuotable,
  isReversal,
  isRule,
  isSettling,
  sentencesOf,
} from '../../src/recall/settled.ts'

describe('a sentence', () => {
  it.each([
    'Retry with backoff is in `src/fetch.py`, tests pass, and the policy is written down in `docs/retry.md`.',
    'The slice dropped a final row without a trailing newline; `splitlines()` keeps it.',
    'Neap tides are drawn dashed.',
    'Decided: depth stays a DECIMAL(6,2), because the charts round to centimetres.',
    'The barometer importer decoded as UTF-8; it now sniffs the codepage with chardet.',
    'The inner join on tax_profile drops them; a left join keeps them.',
    'The wombat cache TTL was set to 30s.',
    'The retry helper now makes five attempts, 100 ms apart, and its test passes.',
    'The key includes Date.now(); drop it and the key is stable.',
    '缓存键包含时间戳，因此改为使用内容哈希。',
    'Решили хранить уровень в сантиметрах.',
  ])('settles: %s', sentence => {
    expect(isQuotable(sentence)).toBe(true)
    if (!/key is stable/.test(sentence)) expect(isSettling(sentence)).toBe(true)
  })

  it.each([
    "Now let's do the importer because it must work.",
    "I'll read the converter.",
    'Reading the downloader and its tests.',
    'Building the image to see the error.',
    'Checking the key builder.',
    'Let me fix that.',
    '让我先看看解析器。',
    'Сейчас проверю тесты.',
    'Working on it.',
  ])('announces only: %s', sentence => {
    expect(announcesOnly(sentence)).toBe(true)
    expect(isSettling(sentence)).toBe(false)
  })

  it.each([
    'I have no memory of a barometer importer.',
    "I don't have any record of previous conversations about it.",
    'Nothing earlier in the history about the VAT export.',
    'Co-Authored-By: Claude <noreply@anthropic.com>',
    '🤖 Generated with Command Code',
    'Reply with exactly OK.',
    'Let me know if you want a changelog entry.',
    'Would you like me to add tests?',
    '我没有相关记录。',
  ])('is hollow: %s', sentence => {
    expect(isHollow(sentence)).toBe(true)
    expect(isQuotable(sentence)).toBe(false)
  })

  it('reverses, stays open, or sets a rule', () => {
    expect(isReversal('We no longer use chardet; charset-normalizer replaced it.')).toBe(true)
    expect(isOpen('Next: run tools/port.py and compare row counts.')).toBe(true)
    expect(isRule('Keep the level in centimetres.')).toBe(true)
    expect(isRule('never touch tides.db in place')).toBe(true)
    expect(isRule('Should we keep it?')).toBe(false)
  })

  it('is found in running text, lists and CJK', () => {
    expect(sentencesOf('# Done\n\n- First, e.g. this. Second one!\n```\ncode. Here.\n```\n1. Third')).toEqual([
      'Done',
      'First, e.g. this.',
      'Second one!',
      'Third',
    ])
    expect(sentencesOf('先改解析器。再跑测试！')).toEqual(['先改解析器。', '再跑测试！'])
    expect(sentencesOf('See docs/retry.md for v1.2.3 of it.')).toEqual(['See docs/retry.md for v1.2.3 of it.'])
  })
})

describe('a conclusion', () => {
  it.each([
    'I picked zstd over gzip for the backups, as restores are faster.',
    'The queue runs on NATS from now on.',
    'With `--become` the play works.',
    'The offset is moved by `CompareAndSwap` now.',
    '以后用 Redis，理由：重启后会话还在。',
    '加上 `PORT=0` 就可以了。',
    'Взяли Redis, поскольку сессии переживают перезапуск.',
    'С `PORT=0` сервер берёт свободный порт.',
  ])('is told: %s', sentence => expect(isConclusion(sentence)).toBe(true))

  it.each([
    'Let me look at `src/fetch.ts` with the debugger now.',
    'Renamed it, and its two callers follow.',
    'There are four callers, all of them in one file.',
    '一共四个调用者，都在同一个文件里。',
    'Всего четыре вызова, все в одном файле.',
  ])('is not told: %s', sentence => expect(isConclusion(sentence)).toBe(false))
})
