/** Words that say nothing about a subject, lower case. Question words are among them: they ask, they don't name. */
const english = `a about above after again against all also am an and any are aren't arent as at be because been before being
below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't dont down during each else
ever every few for from further get gets getting give go goes going gonna got had hadn't has hasn't have haven't having he
he's her here here's hers herself hey hi him himself his how how's i i'd i'll i'm i've if in into is isn't it it's its itself
just let let's lets like made make makes many may maybe me might more most much must my myself no nor not now of off oh ok okay
on once only onto or other our ours ourselves out over own please really same shall she she's should shouldn't so some
still such than thank thanks that that's the their theirs them themselves then there there's these they they'd they'll
they're they've this those though through to too under until up upon us very was wasn't we we'd we'll we're we've well were
weren't what what's when when's where where's whether which while who who's whom whose why why's will with won't would
wouldn't yeah yes yet you you'd you'll you're you've your yours yourself yourselves`

const russian = `а без более бы был была были было быть в вам вас ваш весь во вот все всё всего всех вы где да давай даже для до
его ее её если есть еще ещё же за здесь и из или им их к как какая какие какой когда которая которое которые который кто
ли либо лишь мне много может можно мой моя мы на над надо нам нас наш не него нее неё нет ни них но ну о об однако он она
они оно от очень по под пожалуйста после потом потому почему при про раз с сам себя сейчас со так также такие такой там
те тебя тем теперь то тоже только том тот ту ты у уже хотя чего чей чем через что чтобы чтоб эта эти это этого этой
этом этот эту я`

/** Chinese bigrams (simplified) that are grammar or courtesy: they never trigger anything. */
const chinese = `一下 一个 一些 一样 一点 一直 上面 下面 不到 不了 不会 不是 不能 不要 不过 与其 为了 为什 么办 么样 之前 之后 也是 也
可以 了吗 了解 什么 今天 他们 以及 以后 但是 你们 你好 你的 使得 来说 其中 其他 再次 出来 到底 刚才 别的 前面 又是 可以 可能
各种 同样 后来 后面 吗我 告诉 和我 哪个 哪些 哪儿 哪里 在哪 在于 地方 多少 大家 她们 好的 如何 如果 它们 完全 对于 就是
已经 帮忙 帮我 并且 应该 开始 当时 怎么 怎样 您好 情况 我们 我想 我的 或者 所以 所有 所谓 才能 把它 是不 是否 是在 是怎 是的
是否 曾经 有些 有没 有的 来自 没有 没法 然后 现在 的是 的话 目前 看看 看一 一看 真的 知道 硬是 私自 竟然 第一 等等 给我
继续 而且 自己 至于 虽然 觉得 让我 请你 请帮 请问 起来 跟我 还是 还有 这个 这些 这儿 这样 这里 这么 那个 那些 那儿 那样 那里 那么
都是 里的 里面 需要 非常 首先 么时 时候 为何 何时 谢谢 能否 能不 不能 要不 可否 一次 上次 下次 这次 那次 哪次 为啥 干嘛 咋样`

const words = new Set(`${english} ${russian} ${chinese}`.split(/\s+/))

/** `word` folded as `fold` does it: lower case, simplified characters. */
export const isStopWord = (word: string): boolean => words.has(word)

/** Characters of grammar: a bigram made of two of them, or a lone one, is nothing to search by. */
const grammar = new Set(
  '的了是在和与或而也就都还又不没有我你他她它们这那哪个么吗呢吧啊呀嘛把被给让对向从到为以之其所者着过地得很再才只会能可要请想',
)
/** A bigram with one of these straddles the end of a word. */
const particles = /[的了吗呢吧啊呀嘛么们]/u
const despiteParticle = new Set(['目的', '的确', '了结', '明了', '的士', '标的'])

/** `bigram` folded; a lone character too. */
export const isGrammarBigram = (bigram: string): boolean =>
  words.has(bigram) ||
  (particles.test(bigram) && !despiteParticle.has(bigram)) ||
  Array.from(bigram).every(character => grammar.has(character))
