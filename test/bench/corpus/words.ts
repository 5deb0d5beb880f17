import type { Random } from './random.ts'

/** The words that everybody uses, the most frequent first: the head of the Zipf curve. */
const common =
  `the to of a and in is it that for we on with as be this not are by from at or an if was have but can will which all
when there so no out up what one would into has more other some only its then them these than now do our any may after
you use new should need make also could how time just like work first way see get because file test error value code
run change add function fix line set call return list check type data name build read write path string number object
default config request response server client user message key state start stop version update remove create open
close log print output input module import export class method field table query index cache queue worker thread lock
retry limit timeout size count order sort filter parse format render page view route handler event hook command branch
merge commit release deploy install package dependency script environment variable process memory disk network socket
header body token session account login password permission role project issue review pull request feature bug failure
fails passes works broken missing wrong slow fast large small old next last same different before between without while`.split(
    /\s+/,
  )

const chinese =
  '为什么 测试 失败 请 修复 缓存 队列 超时 重试 配置 请求 日志 数据库 连接 接口 用户 登录 版本 更新 部署'.split(' ')
const russian =
  'почему тест падает исправь кэш очередь таймаут повтор настройки запрос журнал база соединение вход версия'.split(' ')

const syllables = 'ba co de fi gu la me no pi ra so tu ve wi za cre plo ston ter ing al ex or un dis'.split(' ')

/** The n-th made-up word: no two alike, none of them English. */
export function rareWord(n: number): string {
  let word = ''
  for (let rest = n + 700; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length] ?? ''
  }
  return word
}

const madeUp = 30_000
const tableSize = 1 << 17

/** Words by Zipf: a few hundred everyday ones, then a long tail of made-up ones. */
export class Vocabulary {
  readonly #words: readonly string[]
  readonly #table: Uint16Array
  readonly #random: Random
  #planted = 0

  constructor(random: Random) {
    this.#random = random
    this.#words = [...common, ...Array.from({ length: madeUp }, (_, n) => rareWord(n))]
    const count = this.#words.length
    this.#table = Uint16Array.from({ length: tableSize }, (_, i) =>
      Math.min(count - 1, Math.floor(count ** ((i + 0.5) / tableSize)) - 1),
    )
  }

  word(): string {
    return this.#words[this.#table[this.#random.below(tableSize)] ?? 0] ?? ''
  }

  /** A word of the tail. */
  seldom(): string {
    return this.#words[common.length + this.#random.below(madeUp)] ?? ''
  }

  /** A word that no other place of the corpus has. */
  unheard(): string {
    return rareWord(madeUp + 1 + this.#planted++)
  }

  words(count: number): string {
    let text = this.word()
    for (let n = 1; n < count; n++) text += ` ${this.word()}`
    return text
  }

  sentence(extra: readonly string[] = []): string {
    const parts = [this.words(this.#random.between(4, 9)), ...extra, this.words(this.#random.between(2, 6))]
    return `${capital(parts.join(' '))}.`
  }

  prose(sentences: number, extra: () => readonly string[]): string {
    return Array.from({ length: sentences }, () => this.sentence(extra())).join(' ')
  }

  /** What a person of another tongue writes. */
  foreign(count: number): string {
    const [words, joint] = this.#random.chance(0.6) ? [chinese, ''] : [russian, ' ']
    return Array.from({ length: count }, () => this.#random.pick(words)).join(joint)
  }

  identifier(): string {
    const [a, b, c] = [this.word(), this.word(), this.seldom()]
    const dice = this.#random.next()
    if (dice < 0.45) return `${a}${capital(b)}${capital(c)}`
    if (dice < 0.75) return `${a}_${c}`
    if (dice < 0.9) return `${capital(a)}${capital(c)}`
    return `${a}_${b}_${c}`.toUpperCase()
  }
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
