import type { Ways } from '../language.ts'

/** Held out, as the topics beside it are. */
const asksToDecide: Ways = {
  en: [
    'I need a plan for the {area} in {c}. Consider {a}, {b} and whatever else there is.',
    '{c} needs a better {area}. Propose something and wire it in.',
    'Should {c} move to {a} for its {area}? Right now it is {b}.',
  ],
  zh: ['{c} 要不要把{area}换成 {a}?现在是 {b}。', '帮我看看 {c} 的{area}应该怎么做。'],
  ru: ['Стоит ли в {c} перейти на {a} ({area})? Сейчас {b}.', 'Подумай, какой должна быть {area} в {c}.'],
}

const decided: Ways = {
  en: [
    'For {c} the {area} will be {a}. We ruled out {b}: {why}.',
    'Went for {a} as {area} in {c}. {b} would have worked too, but {why}.',
    'The {area} is {a} now ({c}). The deciding point was that {why}.',
  ],
  zh: ['{c} 的{area}定为 {a},主要是{why}。', '{area}方面 {c} 改用了 {a},排除了 {b}:{why}。'],
  ru: ['{area} в {c} будет {a}: {why}. {b} отпал.', 'Остановились на {a} для {c} ({area}), потому что {why}.'],
}

const asksToReverse: Ways = {
  en: [
    'Let us go back on the {area} of {c}, {a} does not hold up.',
    '{c} and {a} do not get along. Change the {area} to something else.',
  ],
  zh: ['{a} 撑不住,{c} 的{area}重新选一个。'],
  ru: ['{a} не тянет в {c}, нужно другое: {area}.'],
}

const reversed: Ways = {
  en: ['{c} is off {a} now and uses {b} for the {area}.', 'As of this commit {b} replaces {a} as the {area} in {c}.'],
  zh: ['{c} 的{area}弃用 {a},现在是 {b}。'],
  ru: ['{c} больше не на {a}, вместо него {b} ({area}).'],
}

const asksForValue: Ways = {
  en: [
    'Measure which `{id}` is best for {c}; it is about the {area}.',
    '`{id}` seems arbitrary. Set it properly in {c} ({area}).',
  ],
  zh: ['测一下 {c} 的 `{id}` 设多少合适,关系到{area}。'],
  ru: ['Измерь, какой `{id}` лучше для {c} ({area}).'],
}

const valueSet: Ways = {
  en: [
    'After measuring, `{id}` is {v} in {c}: {why}.',
    '{v} is the right number for `{id}`, because {why}. See {file}.',
  ],
  zh: ['测下来 `{id}` 设为 {v} 最好,原因是{why}。'],
  ru: ['По замерам `{id}` = {v}: {why}.'],
}

const asksToFix: Ways = {
  en: ['{c}: please deal with {symptom}, `{cmd}` shows it.', 'We keep seeing {symptom} in {c}. Solve it for good.'],
  zh: ['{c} 一直有{symptom},用 `{cmd}` 可以复现。'],
  ru: ['Убери {symptom} в {c}, видно по `{cmd}`.'],
}

const opening: Ways = {
  en: ['This took a while to understand.', 'I reproduced it locally.', 'The history of {file} explains part of it.'],
  zh: ['本地已复现。', '{file} 的历史说明了一部分。'],
  ru: ['Воспроизвёл локально.', 'История {file} кое-что объясняет.'],
}

const closing: Ways = {
  en: ['I ran the suite twice.', 'The diff is ready for review.', 'Please have a look when you can.'],
  zh: ['测试跑了两遍。', '改动可以评审了。'],
  ru: ['Прогнал тесты дважды.', 'Изменения готовы к ревью.'],
}

const asksDecision: Ways = {
  en: [
    'How is the {area} done in {c}?',
    'For {c}: what is our {area}?',
    'Do you know what {area} {c} has and why?',
    'I forgot which {area} we took for {c}',
  ],
  zh: ['{c} 的{area}是怎么做的?', '忘了 {c} 的{area}选的是哪一个', '咱们 {c} 用的{area}是啥?'],
  ru: ['Какая {area} в {c}?', 'Забыл, что мы взяли в {c} ({area})', 'Как в {c} сделано: {area}?'],
}

const asksReason: Ways = {
  en: [
    'What made us set {id} in {c} like this?',
    'why was {b} ruled out for the {area} in {c}?',
    'is there a story behind {id}?',
  ],
  zh: ['{id} 为什么设成现在这样?', '{c} 的{area}为什么没用 {b}?'],
  ru: ['Почему {id} в {c} такое значение?', 'Почему для {c} не подошёл {b} ({area})?'],
}

const asksIdentifier: Ways = {
  en: ['Do we have notes on {id}?', 'what was {id} set to?', '`{id}` ??'],
  zh: ['{id} 是什么意思?', '查一下 {id} 的值'],
  ru: ['Что такое {id}?', 'какое значение у {id}?'],
}

const asksFix: Ways = {
  en: ['{c} had {symptom} once. What did we change?', 'Any idea how {symptom} in {c} went away?'],
  zh: ['{c} 出现过{symptom},当时改了哪里?', '{symptom}又来了,{c} 上次怎么处理的?'],
  ru: ['В {c} было: {symptom}. Что поменяли?', 'Как в {c} избавились: {symptom}?'],
}

const asksError: Ways = {
  en: ['{error}\n\nwhat now?', 'Look at this:\n```\n{error}\n```'],
  zh: ['{error}\n怎么办?', '运行 `{cmd}` 出现:\n{error}'],
  ru: ['{error}\nчто делать?', 'Смотри:\n{error}'],
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
