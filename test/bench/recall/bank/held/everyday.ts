import type { Ways } from '../language.ts'

/** Held out, as the topics beside it are. */
const chores: Ways = {
  en: [
    'Turn the class in {file} into functions.',
    'Where does {c} open its files?',
    'Write down how the {area} of {c} works, for the newcomers.',
    'Inline {id}, it has one caller.',
    'Remove the unused imports from {file}.',
    'Check the {area} code in {c} for typos.',
  ],
  zh: ['把 {file} 里的类改成函数。', '{c} 在哪里打开文件?', '给新人写一下 {c} 的{area}是怎么工作的。'],
  ru: ['Преврати класс в {file} в функции.', 'Где {c} открывает файлы?', 'Опиши для новичков «{area}» в {c}.'],
}

const done: Ways = {
  en: [
    'There are four functions instead of the class.',
    'In {file}, in two places.',
    'Written: {c} starts it, the {area} loops until the input ends, {file} cleans up.',
    'Inlined.',
    'Five imports are gone.',
    'Two typos in comments, corrected.',
  ],
  zh: ['类已改成四个函数。', '在 {file} 里,两处。', '写好了:{c} 启动,{area}循环处理,{file} 负责清理。'],
  ru: [
    'Вместо класса четыре функции.',
    'В {file}, в двух местах.',
    'Описал: {c} запускает, «{area}» крутится до конца ввода, {file} убирает.',
  ],
}

const chatter: Ways = {
  en: [
    'okay cool',
    'right',
    'good job',
    'yes, go',
    'no, the other one',
    'thanks, that helped',
    'later',
    'hey',
    'just do it',
    'mhm',
    'sorry, wrong window',
    'one sec',
    'ready?',
    'not bad',
    'yes to all',
  ],
  zh: ['嗯', '好嘞', '行,就这么办', '不对', '另一个', '谢啦', '等会儿', '在吗', '做得好', '稍等', '全部同意', '不错'],
  ru: [
    'угу',
    'давай так',
    'не то',
    'другой',
    'спс',
    'позже',
    'эй',
    'молодец',
    'секунду',
    'готов?',
    'неплохо',
    'согласен',
  ],
}

const orders: Ways = {
  en: [
    'run everything again please',
    'make the build pass',
    'write a commit message',
    'look at the failing job',
    'drop the debug output',
    'turn this into typescript',
    'move it to its own file',
    'explain the last change',
    'use async instead',
    'rebase onto main',
    'is this safe to merge?',
    'add error handling',
    'simplify this',
    'delete the old version',
    'can you make it more readable?',
    'try a different approach',
  ],
  zh: [
    '全部再跑一遍',
    '让构建通过',
    '写个提交信息',
    '看一下失败的任务',
    '删掉调试输出',
    '移到单独的文件',
    '解释一下刚才的改动',
    '加上错误处理',
    '简化一下',
    '换个思路试试',
  ],
  ru: [
    'запусти всё заново',
    'добейся, чтобы сборка прошла',
    'напиши сообщение коммита',
    'посмотри упавшую задачу',
    'убери отладочный вывод',
    'вынеси в отдельный файл',
    'объясни последнее изменение',
    'добавь обработку ошибок',
    'упрости это',
    'попробуй по-другому',
  ],
}

const machineMade: readonly string[] = [
  '<task-notification>\n<task-id>{hex}</task-id>\n<status>completed</status>\n<result>{c}: {area}, see {id}</result>\n</task-notification>',
  'Stop hook feedback:\n{c} has uncommitted changes in the {area}: {id}',
  '<teammate-message teammate_id="lead">\n{c}: take the {area} next, then {id}.\n</teammate-message>',
  '<local-command-stdout>{c} {area} {id}: done</local-command-stdout>',
  '<bash-input>{cmd}</bash-input>',
  'Background command "{cmd}" exited with code 1: {error}',
  'This session is being continued from a previous conversation that ran out of context. Summary:\n{c} uses {id} for the {area}.',
  '<system-reminder>Todo: {area} of {c}</system-reminder>',
  '/context {id}',
  'API Error: 500 {id}',
]

const strangers: Ways = {
  en: [
    'Make a countdown to new year’s eve.',
    'What is a closure?',
    'Write a poem about the sea.',
    'Convert the readme to HTML.',
    'Add a like button under every post.',
    'How do I center a div?',
    'Show the moon phase in the corner.',
    'Write a function that checks whether a number is prime.',
    'Create a to-do list with drag and drop.',
    'Explain the CAP theorem.',
    'Make the logo spin on hover.',
    'Let visitors rate recipes with stars.',
    'Parse this apache log line with awk.',
    'What is the capital of Mongolia?',
    'Add a contact form with name and message.',
    'Write a Dockerfile for a hello world app.',
  ],
  zh: [
    '做一个新年倒计时。',
    '什么是闭包?',
    '写一个判断质数的函数。',
    '每篇文章下面加点赞按钮。',
    '怎么让 div 居中?',
    '解释 CAP 定理。',
    '鼠标悬停时让标志旋转。',
    '蒙古的首都是哪里?',
  ],
  ru: [
    'Сделай обратный отсчёт до Нового года.',
    'Что такое замыкание?',
    'Напиши функцию проверки на простоту.',
    'Добавь кнопку лайка под постами.',
    'Как отцентрировать div?',
    'Объясни теорему CAP.',
    'Пусть логотип вращается при наведении.',
    'Какая столица у Монголии?',
  ],
}

const newTasks: Ways = {
  en: [
    'Package {c} for Debian.',
    'Draw an icon for {c}.',
    'Let {c} read from stdin.',
    'Add a quiet flag to {c}.',
    'Write a tutorial about {c}.',
  ],
  zh: ['把 {c} 打包成 deb。', '给 {c} 画一个图标。', '让 {c} 从标准输入读取。'],
  ru: ['Собери {c} в пакет для Debian.', 'Нарисуй иконку для {c}.', 'Пусть {c} читает из stdin.'],
}

export const everyday = { chores, done, chatter, orders, machineMade, strangers, newTasks }
