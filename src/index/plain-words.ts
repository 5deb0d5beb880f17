/**
 * Words of plain language that say how one asks, tells, judges or does, and of hardly anything what it is about. Kept by hand,
 * as people write them: the shipped table counts manuals, in which nobody wonders, forgets or picks.
 */
export const plainWords = `
able absolutely accept accord achieve across actual actually admit advantage advice advise affect afraid ago agree ahead aim
allow almost alone along alright although amount annoying answer anybody anyhow anymore anyone anything anyway anywhere apart
apparently appear approach appropriate approve argue argument arrive aspect assume attempt avoid aware away awful awkward back
background bad badly barely based basic basically become bed beginning behave behind believe belong benefit better big bit blame
bother bound brief briefly bring broken broke busy buy call care careful case catch certain certainly challenge chance check choice
choose chose chosen claim clear clearly clever close comfortable comment common compare complain complete completely complicated
concern conclude conclusion confirm confuse confused confusing consider considerable convince cope correct correctly couple course
crazy cure curious current currently damn deal dear decide decision deep definitely depend deserve desire despite determine differ
difference different difficult difficulty direct directly disagree disappear discover discuss discussion doubt drawback drop due
early easily easy effect effort eight eighth either eliminate else end ended enough ensure entire entirely especially essential
evaluate eventually evidence evident exact exactly exist expect explain explanation extent extra extremely face fact fair fairly
familiar far fault favour favor fear feel fewer fifth figure final finally find fine finish first five fix follow forced forget
forgot forgotten former forth fortunate forward found four fourth frankly free frequently fresh full fully fun funny further
gain general generally gladly glad gone good got great guess guy half hand handy happen happy hard hardly hate hear heard heavy
help hence hesitate hint hold honest hope horrible hour however huge hundred hurt idea ideal immediately impact important
impossible improve inclined including indeed influence insist instead intend intended intention interest interesting involve issue
job judge keep kind knew know known lack large largely last late lately later lead lean learn least leave led left less lesson let
level likely listen little live long longer look lose lost lot love low luck lucky made mad main mainly major make manage manner
matter mean meaning meant mention merely mess might mind minor minute miss missing mistake moment month morning mostly motivation
move much naturally nature near nearly necessary need neither nevertheless newcomer next nice nine nobody none nonetheless normal
normally noticed notice nothing nowadays nowhere obvious obviously occasion occur odd offer often old opinion oppose opposite
option ordinary original originally otherwise ought outcome overall own pain part particular particularly past pay people perfect
perfectly perhaps person pick picked piece place plain plan play pleasant plenty plus point poor popular possible possibly practice
prefer preference prepare present pretty prevent previous previously probable probably problem proceed promise proper properly
propose proposal prove purpose put puzzle puzzled quick quickly quiet quite raise rare rarely rather reach ready real realise
realize really reason reasonable recall recent recently recommend recommendation refer regard regarding regular reject related
relevant reliable rely remain remember remind remove repeat reply require resolve respect rest result rid right risk rough roughly
rule sad safe safely said satisfied saw say second secondly seem seen sense sensible separate serious seriously settle seven several
severe shape short should show shut side significant similar similarly simple simply since single situation six slight slightly
small solution solve somebody somehow someone something sometimes somewhat somewhere soon sorry sort sound speak special specific
spot stand started state stay step stick still story straight strange strong struggle stuck stuff stupid subject succeed sudden
suddenly suffer suggest suggestion suit suitable suppose supposed sure surely surprise surprised surprising suspect take taken talk
team tell ten tend terrible thank thing think third thought thousand three thus tidy till tiny today together told tomorrow
tonight took top total totally touch tough toward tried trouble true truly trust truth turn twice two typical typically ugly
unable unclear understand understood unfortunately unless unlikely unusual used useful useless usual usually various vast verdict
version view want wanted way weak week weird went whatever whenever wherever whole wide willing wish wonder wondering word wore work
worked worry worse worst worth wrong year yesterday yesteryear yet
recommended rejected preferred suggested mentioned explained discussed considered compared evaluated replaced ruled dropped
abandoned adopted agreed bought picked turned settled stopped happens happened caused causes caught
govern governs responsible stands account accounts affects means represents
вопрос ответ вариант варианты вариантов выбор выбрать выбрали взять взяли берем брали довод доводы причина причины причине смысл вывод итог итоги решение решения
решать решать закончился закончилось закончилась кончилось чем чему плох плохо плоха хорош хорошо лучше лучший хуже нужен нужна нужно нужны надобно стоит
стоило подошел подошла подошло подходит подходящий годится отвечает отвечать отвечают расскажи расскажите рассказать объясни объясните объяснить поясни покажи
опиши описать скажи подскажи подскажите помоги помогите помогло помогла помог помогает знаешь знаем знать знает известно помнишь помним помню забыл забыли
забыла видел видели видно смотри смотреть посмотри посмотреть глянь найди найти ищи понять понял понятно непонятно ясно интересно странно странный странная
важно важный главный основной обычный обычно обычном сделать сделали сделал делаем делать делает делается делал делали менял меняли меняем поменять
поменяли поменял изменили изменил добавили добавил убрали убрал убрать убери ставили поставили поставил ставим оставили остаться остались отказались отказаться
перешли перейти пришли пришлось придется прийти пошло пошли идти идет идут ходить вернулись вернуться начали начать начал начали закончили закончить
получили получить получает получаем получается случилось случается произошло происходит появилось появляется возникает возникла возникло возникал бывает
сломалось сломался сломалась ломалось ломается мешает мешало пришел хватает хватало хватило стал стала стало стали становится остается остались кажется казалось
предложи предложить предлагает предложили рекомендуешь советуешь посоветуй оцени оценить сравни сравнить сравнивали проверь проверить подумай думаешь думаем
дело деле делу случай случае случая раз разе вещь вещи штука штуки тема теме темы место месте часть части сторона способ способом образом пример примере
человек люди людей пользоваться пользуемся кто-то что-то где-то каким какого какому каких какими который которого которым чей чья чье чьи куда откуда отчего
насколько настолько сколько столько несколько каждый каждая каждое любой любая другой другая другое другие остальной остальные сам сама сами самый самая
самое весь целый полностью совсем почти примерно точно именно просто сразу быстро медленно долго давно недавно скоро рано поздно часто редко иногда снова опять
вместо кроме против ради около между среди вокруг перед позади вчера завтра сегодня неделя неделе неделю неделей неделями месяц месяца месяце год года году день дня дней
дне днем час часа часов минута минуту минут утром вечером ночью большой большая большое большие маленький маленькая маленькое меньше больше новый новая новое
новые старый старая старое старые первый первая первое второй вторая третий последний последняя прошлый прошлая прошлое следующий разный разная разные одинаковый
одно одного одном одну одна один два две двух двое три трех четыре пять никто никого ничего никак нигде некоторые наверное возможно вероятно действительно
конечно кстати впрочем итак значит вообще зато поскольку хотел хотели хочу хотим хочется могу могли мог можем можете должен должна должно должны обязан
умеет умеем пытались пытался пробовали пробовать попробовать удалось получилось вышло выходит оказалось оказался нашли нашел нашлось придумали
крутится живет живут лежит лежат хранит берет берется беруется дает дают даем несет ведет ведется показывает показываем
отныне пор сейчас щас ныне прежде потом затем наконец
`
  .trim()
  .split(/\s+/)
