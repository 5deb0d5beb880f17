import type { Ways } from '../language.ts'

/**
 * How people ask and agents answer. `{area}` is what it is about, `{c}` the component, `{a}` what was chosen, `{b}` what was
 * not, `{why}` the reason, `{id}` an identifier, `{file}` a path, `{v}` a value.
 */
const asksToDecide: Ways = {
  en: [
    'We need to settle the {area} for {c}. What would you take?',
    'Compare the options for the {area} in {c} and pick one, please.',
    'The {area} of {c} is still the old one. Look at {b} and {a} and tell me which.',
    '{c}: which {area} should it be, {b} or {a}?',
    'I would like to get the {area} in {c} out of the way today. {b} hurts.',
  ],
  zh: [
    '{c} 的{area}要定下来,你建议用哪个?',
    '比较一下 {c} 的{area}方案,选一个吧。',
    '{c} 现在的{area}不行,看看 {b} 和 {a} 哪个好。',
    '关于 {c} 的{area},{b} 还是 {a}?',
  ],
  ru: [
    'Нужно определиться: {area} для {c}. Что взять?',
    'Сравни варианты, {area} в {c}, и выбери один.',
    '{c}: {area} — {b} или {a}?',
    'Хочу сегодня закрыть вопрос «{area}» в {c}. {b} мешает.',
  ],
}

const decided: Ways = {
  en: [
    'We decided on {a} for the {area} of {c}: {why}. {b} stays out.',
    'Decision: {c} uses {a} for its {area} instead of {b}, because {why}.',
    'I went through both. For the {area} in {c} it is {a} now; {b} was dropped since {why}.',
    'Settled: {a}. The {area} of {c} moved over from {b} ({why}).',
    'So {c} keeps {a} for {area}, agreed with the team: {why}.',
  ],
  zh: [
    '{c} 的{area}决定采用 {a},因为{why}。',
    '结论:{c} 的{area}用 {a},不用 {b}。原因是{why}。',
    '{c} 的{area}已经从 {b} 改为 {a}:{why}。',
    '最终选择 {a} 作为 {c} 的{area},{why}。',
  ],
  ru: [
    'Решили: {area} в {c} — {a}, потому что {why}.',
    'Для {c} выбрали {a} вместо {b} ({area}): {why}.',
    'Итог: {area} в {c} теперь на {a}, от {b} отказались, так как {why}.',
    'В {c} перешли на {a}: {why}. Это {area}.',
  ],
}

const asksToReverse: Ways = {
  en: [
    'The {area} in {c} turned out badly. Can we get away from {a}?',
    'I am not happy with {a} in {c}. Reconsider the {area}.',
    '{a} gave us trouble in {c} again, let us look at the {area} once more.',
  ],
  zh: ['{c} 的{area}用 {a} 效果不好,能换掉吗?', '{a} 在 {c} 里又出问题了,重新考虑一下{area}。'],
  ru: ['{area} в {c}: {a} нас подводит. Можно уйти от него?', '{a} в {c} снова сломался, давай пересмотрим: {area}.'],
}

const reversed: Ways = {
  en: [
    'The {area} of {c} no longer uses {a}: we switched to {b}. {file} is changed accordingly.',
    'Reverted the earlier choice: {c} uses {b} for its {area} now, not {a}.',
    'Changed our mind about the {area} in {c}. {a} is replaced by {b}.',
  ],
  zh: ['{c} 的{area}不再使用 {a},改用 {b}。', '推翻之前的决定:{c} 的{area}现在用 {b},放弃 {a}。'],
  ru: [
    '{area} в {c}: от {a} отказались, перешли на {b}.',
    'Передумали: {c} больше не использует {a}, теперь {b} ({area}).',
  ],
}

/** Why a value is what it is. */
const asksForValue: Ways = {
  en: [
    'Tune `{id}` in {c}, the {area} suffers.',
    'Something is off with the {area} in {c}; have a look at `{id}`.',
    'Please set `{id}` to something sane and write down why ({c}).',
  ],
  zh: ['调一下 {c} 的 `{id}`,{area}有问题。', '{c} 的{area}不对劲,看看 `{id}`。'],
  ru: ['Подкрути `{id}` в {c}, страдает {area}.', 'В {c} что-то не так ({area}), посмотри `{id}`.'],
}

const valueSet: Ways = {
  en: [
    '`{id}` is {v} now because {why}. Anything above that made the {area} of {c} worse.',
    'I set `{id}` = {v} in {file}: {why}. Do not raise it without measuring.',
    'The reason was in the {area}: {why}, so `{id}` must stay at {v}.',
  ],
  zh: ['`{id}` 现在设为 {v},因为{why}。再高的话 {c} 的{area}会变差。', '已在 {file} 里把 `{id}` 改成 {v}:{why}。'],
  ru: [
    '`{id}` теперь {v}, потому что {why}. Больше — и {area} в {c} страдает.',
    'Поставил `{id}` = {v} в {file}: {why}.',
  ],
}

const asksToFix: Ways = {
  en: [
    '{cmd} fails in {c}. Find out why and make it pass.',
    'CI is red because of {symptom} in {c}. Please repair it.',
    'Can you look into {symptom}? It is {c} again.',
  ],
  zh: ['{c} 里 {cmd} 失败了,找出原因并修复。', 'CI 挂了,是 {c} 的{symptom},请修一下。'],
  ru: ['{cmd} падает в {c}. Выясни почему и почини.', 'CI красный, в {c} {symptom}: исправь, пожалуйста.'],
}

/** What stands around a conclusion. */
const opening: Ways = {
  en: [
    'I read through {file} and its callers first.',
    'Done, and checked against the current branch.',
    'Here is what came out of it.',
    'The change is small; the rest of the module is untouched.',
    'I looked at three places where this is used.',
  ],
  zh: ['我先看了 {file} 和调用它的地方。', '已经完成,并在当前分支上验证过。', '改动不大,模块其余部分没有变化。'],
  ru: [
    'Сначала я прочитал {file} и всё, что его вызывает.',
    'Готово, проверено на текущей ветке.',
    'Изменение небольшое, остальной модуль не тронут.',
  ],
}

const closing: Ways = {
  en: [
    'The tests of the package are green.',
    'Let me know if you want the follow-up as well.',
    'Next I would tidy the imports, nothing urgent.',
    'A note about it stands in the changelog.',
    'No other file needed a change.',
  ],
  zh: ['这个包的测试都通过了。', '如需后续改动请告诉我。', '更新日志里也写了一条。'],
  ru: ['Тесты пакета зелёные.', 'Дайте знать, если нужно продолжить.', 'В журнал изменений добавлена запись.'],
}

const asksDecision: Ways = {
  en: [
    'What did we decide about the {area} in {c}?',
    'which {area} did we end up with for {c}?',
    'Remind me what the choice was for {c} and its {area}.',
    'did we ever settle the {area} of {c}?',
    'I am about to touch {c}: what was agreed on the {area}?',
    '{c} {area} — what was the outcome?',
  ],
  zh: ['{c} 的{area}我们最后定的什么?', '之前 {c} 的{area}选了哪个方案?', '{c} 的{area}当时是怎么决定的?'],
  ru: [
    'Что мы решили в {c}: {area}?',
    'на чём остановились: {area} для {c}?',
    'напомни, какой был выбор в {c} ({area})?',
  ],
}

const asksReason: Ways = {
  en: [
    'Why is {id} in {c} set the way it is?',
    'why does {c} not use {b} for the {area}?',
    'What was the reason behind the {area} choice in {c}?',
    '{id} looks odd to me, why is it like that?',
  ],
  zh: ['{c} 的 {id} 为什么是这样设的?', '{c} 的{area}当初为什么这么选?', '{id} 看起来很奇怪,为什么是这个值?'],
  ru: [
    'почему {id} в {c} именно такой?',
    'По какой причине в {c} так выбрано ({area})?',
    '{id} выглядит странно, почему так?',
  ],
}

const asksIdentifier: Ways = {
  en: ['What is {id} for?', 'where does {id} come from and what is it now?', '{id}?', 'remind me about `{id}`'],
  zh: ['{id} 是干什么用的?', '`{id}` 现在是多少?', '说说 {id}'],
  ru: ['зачем нужен {id}?', 'что у нас с `{id}`?', '{id} — сколько сейчас?'],
}

const asksFix: Ways = {
  en: [
    'How did we fix {symptom} in {c}?',
    'we had {symptom} in {c} before, what solved it?',
    '{symptom} in {c}: I know this was repaired once. How?',
  ],
  zh: ['{c} 的{symptom}之前是怎么修复的?', '{c} 以前出现过{symptom},怎么解决的?'],
  ru: ['Как мы исправили {symptom} в {c}?', 'в {c} уже чинили {symptom}, что помогло?'],
}

const asksError: Ways = {
  en: [
    '{error}',
    'I get this again:\n{error}\nwhat was it last time?',
    'Running `{cmd}` gives\n\n```\n{error}\n```\n\nHaven’t we seen this?',
  ],
  zh: ['又报错了:\n{error}\n上次怎么解决的?', '{error}'],
  ru: ['Опять та же ошибка:\n{error}\nчто было в прошлый раз?', '{error}'],
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
