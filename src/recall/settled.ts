/** Tells sentences that settle something from those that announce, offer, excuse or credit. English, Chinese, Russian. */

/** Announces what is about to be done: settles nothing. */
const announces =
  /^(?:(?:ok(?:ay)?|sure|alright|great|good|perfect|right|yes|now|first|next|then|so|and|also)[,.!:]?\s+)*(?:(?:now |first |next )?let(?:'s|s| us| me)\b|i(?:'ll| will| am going to|'m going to|'d like to| need to| want to| should)\b|we(?:'ll| will)? (?:now |first )?(?:start|begin|look|check|try)\b|(?:reading|looking|checking|running|building|searching|opening|working|starting|continuing|investigating|examining|reviewing|inspecting|trying|adding|updating|fixing|writing|creating|listing|verifying|exploring|fetching|scanning|going|gathering)\b(?!.{0,60}\b(?:fails?|failed|broke|breaks|is|was|needs?|requires?|drops?|means|caused|causes|solved|fixed|works?)\b)|step \d+\s*:|plan\s*:|todo\s*:|on it\b|one moment|give me a|here(?:'s| is) (?:the|a|my) plan)|^(?:好的?[，,。]?\s*)?(?:现在)?(?:让我|我来|我将|我会|我先|接下来|首先|下面|我们来|正在)|^(?:хорошо[,.]?\s+|сейчас\s+|теперь\s+|сначала\s+)*(?:давайте|посмотрю|проверю|прочитаю|запущу|начну|попробую|сделаю|открываю|смотрю|читаю|проверяю|запускаю)/iu

/** Says word for word what is to be answered. */
const dictates =
  /\b(?:reply|respond|answer|say|output|print|return) (?:with )?(?:exactly|only|just|nothing but)\b|只(?:回复|回答|输出)|ответь(?:те)? (?:только|ровно)/i

/** Offers, courtesies, excuses, credit: never worth a reader's room. */
const hollow: readonly RegExp[] = [
  /\b(?:let me know|feel free|would you like|do you want me|shall i|should i (?:go|proceed|continue|also)|happy to|hope (?:this|that) helps|you(?:'re| are) (?:absolutely |completely )?(?:right|welcome)|great question|good (?:catch|question)|sounds good|glad (?:to|that)|is there anything else|please confirm|waiting for your)\b/i,
  /(?:需要我|要不要我|是否需要|如有(?:任何)?问题|希望(?:这|对)|您说得对|你说得对|不客气|请告诉我|还有(?:什么|其他))|(?:хотите,? чтобы|дайте знать|вы правы|рад помочь|обращайтесь|если нужно)/iu,
  /^(?:co-authored-by|signed-off-by|generated (?:with|by)|🤖|made with|powered by|created by|assisted-by)\b|\b(?:generated with|co-authored-by:)\s*\[?(?:claude|codex|command code|codewhale|codebuddy|copilot|cursor)|🤖 generated/iu,
  /\b(?:i|we) (?:have|had|can(?:'t|not) (?:see|find|recall|access)|could(?:n't| not) find|do(?:n't| not) (?:have|see|find|recall|remember|know of)|did(?:n't| not) find|found) (?:no|any|nothing|access to)?\s*(?:(?:prior|previous|earlier|past|recorded)\s+)?(?:memory|memories|record|records|recollection|conversations?|sessions?|history|context|notes?|mention|information)\b|\bno (?:memory|recollection|record) of\b|\bnothing (?:earlier|about (?:it|this|that)|relevant|found|in (?:the|my|past|earlier))\b|\bas an ai\b|\bi(?:'m| am) (?:unable|not able) to (?:recall|remember|access)\b|\b(?:this|that) (?:is|appears to be) (?:our|the) first (?:conversation|session)\b/i,
  /(?:没有(?:任何)?(?:记忆|记录|印象|相关(?:记录|信息|历史))|不记得|无法回忆|找不到(?:之前|以前|相关)(?:的)?(?:记录|对话|会话))|(?:не помню|нет (?:записей|памяти|информации) о|не нашёл|не нашел (?:записей|упоминаний))/iu,
  dictates,
]

/** What was found, chosen, mended, or holds from now on. */
const settles =
  /\b(?:decid(?:ed|es?|ing)|decision|we(?:'ve| have)? (?:chose|chosen|agreed|settled|picked|went with|use|keep|kept)|chose|settled on|agreed|policy|rule|convention|must(?: not)?|never|always|instead of|rather than|because|since|due to|so that|root cause|(?:cause|reason|problem|bug|issue|culprit|fix|solution|trick|answer|default|limit|value|key) (?:was|is|were|are)\b|caused by|turned? out|fixed|solved|resolved|mended|repaired|switched|replaced|renamed|moved|removed|dropped|reverted|rolled back|introduced|raised|lowered|pinned|now (?:uses?|is|are|has|have|comes?|takes?|makes?|returns?|reads?|writes?|runs?|works?|passes?|fails?|keeps?|sniffs?|lives?)|no longer|works?|pass(?:es|ed)?\b|is set to|was set to|set to|defaults? to|requires?|needs?|depends on|only (?:works?|when|if|on)|stays?|keeps?|remains?|(?:is|are) (?:written|drawn|stored|kept|computed|sorted|cached|handled|configured|documented|defined|read|sent) |means that|written down|same as|equals?|does not|doesn't|can't|cannot|won't)\b|(?:决定|选择|采用|改为|改成|改用|换成|因为|由于|原因|根因|修复|已修|解决|统一|约定|必须|不要|不能|不再|应该|应当|始终|默认|设为|设置为|使用|通过|放在|保留|保持|需要)|(?:решили|решено|выбрали|используем|использует|потому что|из-за|причина|исправл|починил|заменили|перешли|теперь|больше не|нужно|должн|всегда|никогда|по умолчанию|оставили|договорились|перенесли)/iu

/** Says what holds and why, or what mended it: more than that something was done. */
const concludes =
  /\b(?:decid(?:ed|es)|decision|chose|chosen|agreed|settled|picked|went with|policy|convention|must(?: not)?|never|always|instead of|rather than|because|since|due to|so that|root cause|(?:cause|reason|problem|culprit|fix|solution|trick) (?:was|is)\b|was the (?:cause|reason|problem|culprit)|caused by|turned out|fixe[sd]|solved|resolved|mended|repaired|cured|switched|replaced|reverted|rolled back|moved (?:over |away )?from|dropped|no longer|now (?:uses?|is|are|has|have|comes?|takes?|makes?|returns?|reads?|writes?|runs?|keeps?|sniffs?|lives?)|(?:is|are|was|were) now|raised|lowered|pinned|stays? (?:on|at|with|out)|keeps?|works? (?:with|only|when|if)|pass(?:es)? (?:with|when|only|again)|went (?:with|for|back)|picks?|picked|opted|selected|adopted|preferred|wins?|won over|ruled out|rolled out|from now on|(?:conclusion|reason|verdict|outcome|argument)s?(?: for \S+)?\s*(?::|was|is)|is gone|(?:will|should) be|is right for|do not \w+ (?:it|them) (?:without|unless)|for this reason|need(?:s|ed)|requires?|depends on|(?:is )?set to|defaults? to|cuts?|as the \w+ requires?)\b|(?:决定|选择|选定|采用|改为|改成|改用|换成|因为|由于|原因|根因|结论|修复|解决|统一|约定|必须|不能|不再|始终|默认|设为|设置为|放弃|推翻|就通过|才能|就能|就可以|就好了|之后.{0,24}(?:正常|正确|一致|通过)|后.{0,12}(?:修复|一致|可以|正常)|现在(?:用|改|设|按|是|只|会)|去重|选定|定为|否决|排除|弃用|换回|理由|以后用|关键是)|(?:решили|решено|выбрали|итог|потому что|так как|из-за|причин|исправ|починил|помог|заменили|перешли|передумали|отказались|больше не|теперь|нужно|всегда|никогда|по умолчанию|договорились|проход[яи]т|поставил|взяли|поскольку|отныне|вернулись|остановились|вместо|вывод|довод|решило|решил[аи]?|отпал|исключили|по замерам|работает с|с `[^`]+` )/iu

/** Something written out, and said of it that it is so now, or that things work by it. */
const quoted = /`[^`\s][^`]*`/
const mends =
  /\b(?:with|by|now|lets?|makes?|made|keeps?|takes?|holds?|asks?|reading|using|waits?|first, then)\b|(?:用|加上|改|设|现在|会先|会等|会检查|会放行|固定到)|(?:теперь|через|помог|сначала|сужает|исправ|пропускает|берёт|чтение|закреплён|дожидается|сверяет)/iu

/** Takes something earlier back. */
const reverses =
  /\b(?:no longer|any ?more|instead|revert(?:ed|s|ing)?|roll(?:ed|ing)? back|switch(?:ed|ing)? (?:back|from|away|to)|moved? (?:away )?from|changed (?:our|my|the) (?:mind|decision)|supersed(?:ed|es)|replac(?:ed|es|ing)|drop(?:ped|ping)?|scrap(?:ped)?|abandon(?:ed)?|gave up on|undo(?:ne)?|undid|not .{1,40} after all|actually|deprecat(?:ed|es)|overturn(?:ed|s)?|retire[ds]?)\b|(?:改用|改为|改成|换成|换回|不再|撤回|回滚|放弃|取消|废弃|推翻|而不是)|(?:вместо|больше не|откатили|отказались|заменили|перешли|передумали|отменили)/iu

/** Waits for something. */
const isOpenPattern =
  /\b(?:todo|to do|remaining|still (?:to|needs?|open|missing|fails?|failing|broken)|not (?:yet|done|finished|implemented|covered)|follow-?up|left (?:to do|open|for)|open (?:question|point|issue)s?|blocked|pending|unresolved|unfinished|wip|later)\b|\bnext(?: steps?| actions?)?\s*:|(?:待办|待做|待处理|尚未|还没|未完成|下一步|剩下|遗留)|(?:осталось|ещё не|еще не|не сделано|следующий шаг|позже|открытый вопрос)/iu

/** What the person asks to be kept to. */
const rule =
  /\b(?:never|always|must(?: not)?|mustn't|don't|do not|only|keep|make sure|ensure|avoid|no (?:new )?\w+ (?:please|allowed)|without (?:touching|changing|breaking)|should(?:n't| not)?|has to|have to|may not|prefer|stick to|use (?:only )?)\b|(?:不要|不能|不准|必须|务必|始终|一律|总是|只能|只用|只要|保持|保留|避免|禁止|请用|别)|(?:никогда|всегда|обязательно|только|нельзя|не (?:трогай|меняй|используй|надо|нужно)|оставь|сохрани|используй)/iu

const tried =
  /\b(?:tried|attempt(?:ed)?|didn't (?:work|help)|did not (?:work|help)|doesn't (?:work|help)|rejected|ruled out|dropped|abandoned|gave up|too slow|wouldn't|not an option|failed because|reverted|backed out|dead end)\b|(?:试过|尝试|行不通|不行|无效|放弃|被拒|太慢)|(?:пробовали|попробовал|не помогло|не сработало|отказались|отклонили|слишком медленно)/iu

export const announcesOnly = (sentence: string): boolean => announces.test(sentence.trim())
/** Never to be quoted, whatever it matches. */
export const isHollow = (sentence: string): boolean => hollow.some(pattern => pattern.test(sentence))
export const isSettling = (sentence: string): boolean =>
  !announcesOnly(sentence) && !isHollow(sentence) && settles.test(sentence)
/** Whether a sentence tells what holds, and not only that something was done. */
export const isConclusion = (sentence: string): boolean =>
  !announcesOnly(sentence) &&
  !isHollow(sentence) &&
  (concludes.test(sentence) || (quoted.test(sentence) && mends.test(sentence)))
export const isReversal = (sentence: string): boolean => reverses.test(sentence)
export const isOpen = (sentence: string): boolean => !isHollow(sentence) && isOpenPattern.test(sentence)
export const isRule = (sentence: string): boolean =>
  !isHollow(sentence) && !sentence.trim().endsWith('?') && rule.test(sentence)
export const isRejection = (sentence: string): boolean => !isHollow(sentence) && tried.test(sentence)
/** Whether a prompt dictates its answer: that is nobody's finding. */
export const isDictation = (prompt: string): boolean => dictates.test(prompt)
/** Worth quoting at all. */
export const isQuotable = (sentence: string): boolean => {
  const letters = sentence.replaceAll(/[^\p{L}\p{N}]/gu, '').length
  return letters >= (/\p{Script=Han}/u.test(sentence) ? 4 : 10) && !announcesOnly(sentence) && !isHollow(sentence)
}

const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|ca|mr|mrs|dr|z\.b)|\b[A-Z])\.$/i

/** A text's sentences, one a list item or line at most, markup in front of them gone. Code fences are left out. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let fenced = false
  for (const raw of text.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(raw)) {
      fenced = !fenced
      continue
    }
    if (fenced) continue
    const line = raw.replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+|\|)+\s*/, '').trim()
    if (line === '' || /^[|\s:=*_-]+$/.test(line)) continue
    let start = 0
    for (const match of line.matchAll(/[.!?…]+["'”’)\]*_`]*\s+|[。！？；]+[”’）]*/gu)) {
      const end = match.index + match[0].length
      const piece = line.slice(start, end).trim()
      if (abbreviation.test(piece) || (/\.\s+$/.test(match[0]) && /^[\p{Ll}]/u.test(line.slice(end)))) continue
      if (piece !== '') sentences.push(piece)
      start = end
    }
    const rest = line.slice(start).trim()
    if (rest !== '') sentences.push(rest)
  }
  return sentences
}
