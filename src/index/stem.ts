import { stemmer } from 'stemmer'

/** Forms that Porter's rules leave apart from their word: verbs first, then nouns and adjectives. Form, then word. */
const irregular = new Map<string, string>()
const families = `be am are is was were been being|become became|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring
brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came|cost costs|cut cuts|deal dealt|do did done does|draw
drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find
found|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone
goes|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave
left|lend lent|lose lost loss|make made|mean meant|meet met|overwrite overwrote overwritten|pay paid|read reads|rebuild rebuilt|rewrite rewrote
rewritten|ride rode ridden|ring rang rung|rise rose risen|run ran runs|say said|see saw seen|seek sought|sell sold|send sent|shake
shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke
spoken|spend spent|spin spun|split splits|stand stood|steal stole stolen|stick stuck|strike struck|swear swore sworn|swim swam
swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand
understood|undo undid undone|wake woke woken|wear wore worn|weave wove woven|win won|withdraw withdrew withdrawn|write wrote
written|child children|man men|woman women|person people|foot feet|tooth teeth|mouse mice|wife wives|life lives|knife
knives|leaf leaves|index indices indexes|vertex vertices|matrix matrices|datum data|criterion criteria|schema schemata
schemas|good better best|bad worse worst|decide decision decisions|choose choice choices|fail failure failures|configure
configuration configurations config|authenticate authentication|authorize authorization|analyse analyze analysis|behaviour
behavior|colour color|serialise serialize serialization|initialise initialize initialization|optimise optimize
optimization|normalise normalize normalization|organise organize organization|cancel cancelled canceled cancellation`
for (const family of families.split('|')) {
  const [word, ...forms] = family.trim().split(/\s+/)
  if (word !== undefined) for (const form of forms) irregular.set(form, stemmer(word))
}

/** Endings of Russian nouns, adjectives and verbs, longest first: light on purpose, as a short stem meets too much. */
const russianEndings =
  `ировавшийся ированного ированный ированная ированные ированию ирования ировании ирование ировали ировать ировала ировал ируется
  ируются ируют ирует ившись ывшись вшись ившийся ающиеся ающийся ающегося ующий ющийся уются ается яется ются ится ятся
  ешься ишься ались ились иться аться яться ывать ивать ениями ениях ением ениям ению ении ения ение аниями аниях анием аниям анию
  ании ания ание остями остям остях остью ости ость ейший ейшая ими ыми его ого ему ому ее ие ые ое ей ий ый ой ем им ым ом их ых
  ую юю ая яя ою ею ившие ивший вшие вший ющие ющий ющая ющее ащий ящий нные нный нная нное нных ила ыла ена ейте уйте ите или ыли ей уй
  ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены ить ыть ишь ую ал али ала ало ать ять ет ют ла ете йте ли ло нно ть ешь
  ами ями иях ях ах ев ов ии ией иею иям ям ам ием ию ью ия ья а е и й о у ы ь ю я`
    .trim()
    .split(/\s+/)
    .sort((a, b) => b.length - a.length)

/** Endings of verbs that many nouns have too: `пакет`, `отчёт`. */
const verbal = new Set(['ет', 'ют', 'ит', 'ят', 'ут', 'ил', 'ен', 'ла', 'ло', 'ли', 'ть'])

const fleeting = /^(?!.*(?:поток|восток|водосток|приток|блок)$).{3,}[бвгджзклмнпрстфхцчшщ]ок$/

/** At least three letters of a Russian word stay, four before what may be no ending. */
function russianStem(word: string): string {
  // a fleeting vowel: `список`, `списка`
  if (fleeting.test(word)) return `${word.slice(0, -2)}к`
  for (const ending of russianEndings)
    if (word.length - ending.length >= (verbal.has(ending) ? 4 : 3) && word.endsWith(ending)) {
      const stem = word.slice(0, -ending.length)
      return stem.endsWith('нн') ? stem.slice(0, -1) : stem
    }
  return word
}

const plainEnglish = /^[a-z]{3,}$/
const plainRussian = /^[а-яіїєґ]{4,}$/

/** The stem of a folded, lower-case word; what is neither English- nor Russian-looking stays as it is. */
export function stemOf(word: string): string {
  if (plainEnglish.test(word)) return irregular.get(word) ?? stemmer(word)
  if (plainRussian.test(word)) return russianStem(word)
  return word
}
