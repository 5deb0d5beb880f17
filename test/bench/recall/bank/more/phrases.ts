import type { Ways } from '../language.ts'

/** Other people's manner of asking and answering. */
const asksToDecide: Ways = {
  en: [
    'Look into the {area} of {c}, please. {b} or {a}, which suits us?',
    'The {area} for {c} is open. Give me a recommendation and do it.',
    'Can you evaluate {a} against {b} for {c}? It is about the {area}.',
  ],
  zh: ['请评估一下 {c} 的{area}:{a} 和 {b} 选谁?', '{c} 的{area}还没定,给个建议并实现。'],
  ru: ['Оцени {a} и {b} для {c}, речь про: {area}.', 'В {c} не решено: {area}. Предложи и сделай.'],
}

const decided: Ways = {
  en: [
    'The {area} in {c} runs on {a} from now on. The main argument: {why}.',
    'I picked {a} over {b} for the {area} of {c}, as {why}.',
    '{c} switched its {area} to {a}. Reason: {why}. {b} is gone.',
    'Conclusion for {c}: {a} wins for {area} ({why}), {b} loses.',
  ],
  zh: ['{c} 的{area}以后用 {a},理由:{why}。', '我们选定 {a} 做 {c} 的{area},{b} 被否决,因为{why}。'],
  ru: ['{area} в {c} отныне на {a}. Главный довод: {why}.', 'Взяли {a}, а не {b} ({c}, {area}), поскольку {why}.'],
}

const asksToReverse: Ways = {
  en: [
    '{a} was a mistake for the {area} of {c}; take it out again.',
    'Please rethink {a} in {c}, the {area} got worse.',
  ],
  zh: ['{c} 的{area}选 {a} 是个错误,换掉吧。'],
  ru: ['{a} в {c} был ошибкой ({area}), убери его.'],
}

const reversed: Ways = {
  en: [
    '{c} dropped {a}; its {area} is on {b} since today.',
    'We rolled back: the {area} of {c} is {b} again instead of {a}.',
  ],
  zh: ['{c} 的{area}已从 {a} 换回 {b}。'],
  ru: ['В {c} вернулись с {a} на {b}: {area}.'],
}

const asksForValue: Ways = {
  en: ['What should `{id}` of {c} be? The {area} misbehaves.', 'Find a good `{id}` for {c}.'],
  zh: ['{c} 的 `{id}` 应该设多少?{area}表现不好。'],
  ru: ['Каким должен быть `{id}` в {c}? Проблемы: {area}.'],
}

const valueSet: Ways = {
  en: [
    'I changed `{id}` to {v} ({file}), because {why}. It concerns the {area} of {c}.',
    '`{id}` = {v} is right for {c}: {why}.',
  ],
  zh: ['`{id}` 改成了 {v},因为{why}。'],
  ru: ['Теперь `{id}` = {v} в {c}, потому что {why}.'],
}

const asksToFix: Ways = {
  en: ['`{cmd}` does not pass since this morning, {c} is stuck on {symptom}.', 'Get rid of {symptom} in {c}, please.'],
  zh: ['{c} 出现{symptom},`{cmd}` 过不了,处理一下。'],
  ru: ['`{cmd}` не проходит, в {c} видно {symptom}. Разберись.'],
}

const opening: Ways = {
  en: [
    'Everything below was tried on a copy first.',
    'I compared it with what the upstream does.',
    'Two files are affected.',
  ],
  zh: ['先在副本上试过。', '涉及两个文件。'],
  ru: ['Сначала всё проверено на копии.', 'Затронуты два файла.'],
}

const closing: Ways = {
  en: ['All checks of the branch pass.', 'The commit is small and stands alone.', 'Nothing else depends on it.'],
  zh: ['分支上的检查全部通过。', '没有其他地方依赖它。'],
  ru: ['Все проверки ветки проходят.', 'Больше ничего от этого не зависит.'],
}

const asksDecision: Ways = {
  en: [
    'What are we using for the {area} in {c} again?',
    'In {c}, what did the {area} end up as?',
    'Which way did we go with the {area} of {c}?',
    'What was the verdict on {c} and its {area}?',
  ],
  zh: ['{c} 的{area}现在用的是什么?', '我们给 {c} 选的{area}是哪个来着?', '{c} 那边{area}的结论是什么?'],
  ru: ['Что у нас в {c} за {area}?', 'Чем закончился вопрос про {area} в {c}?', 'Какой вариант взяли для {c}, {area}?'],
}

const asksReason: Ways = {
  en: [
    'How come {c} has {id} at that number?',
    'What speaks against {b} for the {area} in {c}?',
    'Who needs {id} to be this way?',
  ],
  zh: ['{c} 里 {id} 取这个值是什么道理?', '{c} 的{area}为啥不用 {b}?'],
  ru: ['Отчего в {c} {id} такой?', 'Чем плох {b} для {c} ({area})?'],
}

const asksIdentifier: Ways = {
  en: ['tell me what we know about {id}', '{id} - what value and why?', 'what does {id} control?'],
  zh: ['{id} 有什么用?', '`{id}` 设的是几?'],
  ru: ['расскажи про {id}', '{id} за что отвечает?'],
}

const asksFix: Ways = {
  en: ['What got rid of {symptom} in {c} last time?', '{c} shows {symptom} again. What was the cure?'],
  zh: ['上次 {c} 的{symptom}是什么原因?', '{c} 又出现{symptom},之前的办法是什么?'],
  ru: ['Чем в прошлый раз убрали {symptom} в {c}?', '{c}: снова {symptom}. Какое было решение?'],
}

const asksError: Ways = {
  en: ['seen before?\n\n{error}', '`{cmd}` says:\n{error}'],
  zh: ['这个错误见过吗?\n{error}', '{error}\n这是怎么回事?'],
  ru: ['Видели такое?\n{error}', '`{cmd}` пишет:\n{error}'],
}

export const phrases = {
  asksToDecide,
  decided,
  asksToReverse,
  reversed,
  asksForValue,
  valueSet,
  asksToFix,
  opening,
  closing,
  asksDecision,
  asksReason,
  asksIdentifier,
  asksFix,
  asksError,
}
