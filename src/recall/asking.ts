/** How a prompt asks: for what was, for what is here, for anything, or not at all. English, Chinese, Russian. */

/**
 * `past`: asks for what was settled, mended, tried. `ours`: asks how things are here. `question`: asks, and does not
 * say of what. `general`: asks for what anybody knows. `order`: wants something done. `mention`: names something.
 */
export type Asking = 'past' | 'ours' | 'question' | 'general' | 'order' | 'mention'

const past =
  /\b(?:did (?:we|i|you|it|they)|have (?:we|i|you)|had (?:we|i|you)|haven't we|didn't we|(?:we|i|you) (?:had|did|have|already|once|ever|last|used to|decided|chose|agreed|settled|picked|fixed|solved|tried|set|changed|moved|switched|ended)|last (?:time|week|month|year)|the other day|back then|remind me|remember|recall|ended up|(?:what|which|how|why|where|when) (?:was|were)|was the|outcome|why (?:is|are|do|does|don't|doesn't|isn't|aren't|can't|not)|reasons?|how come|what happened|history of|these days)\b|(?:之前|以前|上次|上回|当时|当初|那时|曾经|最后|后来|原因|为什么|为何|为啥|记得|来着|怎么(?:修|解决|决定|定)|定的|选了|选的|又(?:报错|出现|失败|出))|(?:раньше|ранее|прошл|уже|помни|напомни|вспомни|почему|зачем|отчего|причин|тогда|решили|решали|выбрали|выбор|остановились|договорились|исправили|починили|чинили|было|были|был|была|помогло)/iu

/** Says of a question that it is about what was; of an order only that it is given once more. */
const before =
  /\b(?:before|again|earlier|previous(?:ly)?|already|decided|agreed|chosen|was|were)\b|已经|原来|опять|снова/iu

/** Begins with what is to be done. */
const imperative =
  /^\s*(?:(?:ok(?:ay)?|now|then|please|pls|so|and|next|also|yes|no)[,.:]?\s+)*(?:(?:can|could|would|will) (?:you|we)\s+(?!remember|recall|remind|tell|explain)|let(?:'s| us| me)?\s|i (?:want|need|would like|'d like)\s|we need\s|(?:add|write|create|make|implement|fix|run|rerun|build|show|draw|port|give|set|update|change|remove|delete|drop|rename|refactor|move|generate|install|deploy|use|send|print|sort|count|translate|cache|check|review|test|put|turn|try|split|extract|merge|revert|commit|push|open|close|start|stop|restart|bump|upgrade|list|read|find|look|clean|format|handle|support|replace|convert|increase|reduce|simplify|optimi[sz]e|document|validate|parse|log|mock|seed|return|undo|do|go|save|load|select|hide|display|render|insert|wrap|call|switch|enable|disable|allow|prevent|ensure|keep|configure|set up|prepare|improve|investigate|debug|profile|benchmark|mend|repair)\b)|^\s*(?:请|把|给|将|帮|加|添加|新增|写|改|删|修|建|新建|实现|生成|运行|跑|提交|更新|重构|合并|安装|检查|实现|让|翻译|优化|点击|页面)/iu
const imperativeRussian = /^\s*\p{Script=Cyrillic}{3,}(?:[ийь]|ите|йте|ьте)(?!\p{L})/iu

const ours =
  /\b(?:we|our|ours|us|here|this (?:project|repo|repository|codebase|app|service))\b|(?:我们|咱们|咱|这个项目|这里|本项目|项目里)|(?<!\p{L})(?:мы|нас|нам|наш\p{L}*|здесь|тут|проект\p{L}*)(?!\p{L})/iu

const question =
  /[?？]\s*$|[?？]\s|^\s*(?:what|which|who|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|should|would|has|have|had|any|explain|tell me|describe)\b|(?:什么|哪|怎么|怎样|如何|多少|谁|是否|吗|几个|解释|说说|讲讲)|(?<!\p{L})(?:что|какой|какая|какое|какие|каким|какую|каком|кто|где|куда|откуда|когда|почему|зачем|как|сколько|чем|объясни|расскажи)(?!\p{L})/iu

/** Asks for what anybody knows, or may be looked up. */
const general =
  /\b(?:what is (?:a|an)\b|what(?:'s| is) the difference|difference between|explain (?:how|what|why) (?:a|an)\b|how (?:to|do i|can i|would i|does one)\b|in general|best (?:way|practice)|example of|meaning of|better in)|(?:区别|解释一下|介绍一下|是什么意思|一般|通常|最佳实践|怎么写|如何写|(?<!为)什么是)|(?:разниц|чем отлича|вообще|обычно|что такое|как написать|в чём отличие)/iu

export function askingOf(text: string): Asking {
  const asks = question.test(text)
  if (general.test(text) && !ours.test(text)) return 'general'
  if (
    (imperative.test(text) || (!asks && imperativeRussian.test(text))) &&
    !/^\s*(?:напомни|вспомни|скажи|расскажи|объясни)/iu.test(text)
  )
    return past.test(text) && asks ? 'past' : 'order'
  if (past.test(text) || (asks && before.test(text))) return 'past'
  if (!asks) return 'mention'
  return ours.test(text) ? 'ours' : 'question'
}

/** Words that say how one asks, not about what: as terms of the index. */
const framing = new Set(
  `decid choos choic agre settl outcom remind rememb recal reason behind fix solv repair mend resolv happen earlier befor
  previou previous last again alreadi pick end up us know look odd strang wai kind come thing touch current thes dai ever onc help
  work problem issu troubl wrong tell show explain person right need want happen talk discuss say mean chang becaus caus learn
  реш решен решил выбор выбр выбра напомн помн вспомн причин исправ починил чин помог раньш прошл уж сдела наш как куд откуд тогд
  останов договор пробл взя постав меня поменя кажд выгляд стра име сейчас опя снов той кто ког чью готов пад упавш поч те нужн нужен зач зачем скольк сколько выбрано выбра
  决定 最后 之前 以前 当时 当初 上次 原因 问题 解决 修复 修的 选了 方案 记得 提醒 哪种 哪个 用的 谁家 定的 使用 用什 是用 用哪 时候 怎样 现在 多少 看起 奇怪 出现 改了 改成 最终 后定 时是
  前是 个方 后来`
    .trim()
    .split(/\s+/),
)
/** In a bigram it straddles grammar: 用什, 器怎. */
const straddles = /[什怎哪谁吗呢么吧]/u

export const isFraming = (term: string): boolean =>
  framing.has(term) || (straddles.test(term) && /^\p{Script=Han}{1,2}$/u.test(term))

const mending =
  /\b(?:fix(?:ed|es)?|solv(?:e|ed)|resolved?|repair(?:ed)?|mend(?:ed)?|cure[ds]?|helped|error|fail(?:s|ed|ing|ure)?|crash(?:e[sd])?|broke(?:n)?|get around|work(?:ed)? around|get it to)\b|(?:修复|修好|修的|解决|报错|失败|绕过|崩溃)|(?:исправ|чини|помогло|решили проблему|обошли|ошибк|пада|упал)/iu

/** Whether a question is about something that failed. */
export const asksOfMending = (text: string): boolean => mending.test(text)
