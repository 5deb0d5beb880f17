/** A prompt as the person meant it: without frames, envelopes and what a machine wrote; and whether it asks for silence. */

/** Envelopes whose content is not the person's. */
const dropped =
  /<(deja-recall|system-reminder|hook_context|hook-context|turn_meta|ide-context|ide_context|ide_selection|ide_opened_file|local-command-\w+|command-message|bash-std(?:out|err)|task-notification|teammate-message|tool_use_error|persisted-output|repair_note|conversation_history_summary|codewhale:[\w:-]+|environment_details|additional_data|attached_files?)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/gi
/** Envelopes around the person's own words. */
const unwrapped = /<\/?(?:user_query|user-query|command-args|command-name|bash-input)\b[^>]*>/gi
const bracketed = /^\s*\[(?:hook context|approval|runtime|tool_history_repair|codewhale restored)[^\]]*\][^\n]*$/gim
const hookTail = /\n\n\[hook context\][\s\S]*$/i

/** Only what the person typed or pasted. */
export function personsWords(text: string): string {
  return text.replace(hookTail, ' ').replace(dropped, ' ').replace(unwrapped, ' ').replace(bracketed, ' ').trim()
}

/** Whole prompts that a program wrote. */
const machineMade: readonly RegExp[] = [
  /^\s*<(?:task-notification|teammate-message|codewhale:|local-command-|bash-|system-reminder|tool_result|command-message>\s*<\/)/i,
  /^\s*\[(?:runtime|tool_history_repair|codewhale restored|request interrupted|system|background)/i,
  /^\s*(?:stop hook feedback|monitor exited|background (?:task|command|shell|process)\b[^.?!]{0,80}\b(?:completed|exited|finished|failed|started|was)|background (?:task|command|shell|process) "[^\n]{1,400}" (?:completed|exited|finished|failed|started|was)\b|caveat: the messages below|this session is being continued from a previous conversation|another language model started to solve this problem|please continue (?:with )?the conversation (?:based|from)|conversation summary \(auto|base directory for this skill:|continue (?:from|with) the (?:next action|summari[sz]ed)|\[?image\b[^\n]{0,40}\]?$|your task is to create a detailed summary|unknown (?:slash )?command:|api error\b|error: \d{3} )/i,
  /^\s*(?:task|status|pid|cwd|command|stdout|stderr|exit code|signal|output)\s*:[^\n]*\n\s*(?:task|status|pid|cwd|command|stdout|stderr|exit code|signal|output)\s*:/i,
  /^\s*\{[\s\S]*"(?:type|event|role|jsonrpc)"\s*:[\s\S]*\}\s*$/,
]

/** Whether a program wrote this prompt: a notification, a hook's feedback, a command's output, a message of another agent. */
export function isMachineMade(text: string): boolean {
  return machineMade.some(pattern => pattern.test(text))
}

/** A slash command and nothing of a path: what it means is its client's business. */
function isSlashCommand(text: string): boolean {
  return /^\s*[/!#](?![/\s])[\w:-]+(?=\s|$)/.test(text) && !/^\s*#\s/.test(text)
}

const chatter =
  /^(?:(?:ok(?:ay)?|yes|yep|yeah|yup|no|nope|sure|right|fine|good|great|nice|cool|perfect|awesome|excellent|thanks?|thank you|thx|ty|cheers|please|pls|plz|hi|hello|hey|there|good (?:morning|evening|afternoon|night)|bye|continue|go(?: on| ahead)?|proceed|carry on|keep going|next|do it|do that|do so|sounds good|looks good|lgtm|ship it|done|stop|wait|retry|try again|again|one more time|once more|undo|revert that|so|and|then|now|it|that|this|well|hmm+|ah|oh|wow|very|much|a lot|lot|all|same|works?|it works|y|n|k|q|exit|quit|help|test|ping|哦|嗯|好|好的|好吧|行|可以|可以了|是|是的|对|对的|不|不是|不用|谢谢|多谢|谢谢你|辛苦了|继续|接着|接着做|接着来|继续吧|请继续|下一步|开始|开始吧|停|停止|等等|再试一次|再来|再来一次|重试|没问题|明白|明白了|知道了|你好|您好|早上好|晚上好|不错|很好|太好了|да|нет|ок|окей|хорошо|ладно|спасибо|пожалуйста|продолжай|продолжайте|дальше|далее|давай|давайте|поехали|ещё раз|еще раз|попробуй ещё раз|стоп|подожди|привет|здравствуйте|доброе утро|добрый день|добрый вечер|отлично|супер|понятно|понял|ясно|верно|сделай|сделай это)[\s,.!?;:…。，！？、；：~)(]*)+$/iu

/** `continue`, `thanks!`, 继续: nothing is asked. */
export function isChatter(text: string): boolean {
  const plain = text.replaceAll(/[\p{Extended_Pictographic}\u200d\ufe0f]/gu, ' ').trim()
  return plain === '' || !/[\p{L}\p{N}]/u.test(plain) || (plain.length <= 80 && chatter.test(plain))
}

/** Why a prompt wants no recall, told before anything is looked up; null: it may want some. */
export function silenceFor(prompt: string): 'slash-command' | 'machine-made' | 'chatter' | null {
  if (isMachineMade(prompt)) return 'machine-made'
  const words = personsWords(prompt)
  if (isSlashCommand(words)) return 'slash-command'
  if (isMachineMade(words)) return 'machine-made'
  return isChatter(words) ? 'chatter' : null
}
