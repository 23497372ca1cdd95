import { hasTones } from './tones.ts'

/**
 * A word that is not part of a name: in `a@b.com`, "com" is not the Portuguese word. U+200C and U+200D are inside words: the
 * first separates the parts of a Persian word, which is one term.
 */
const WORD =
  /(?<![\p{L}\p{M}\p{N}\p{Join_Control}._@/:-])[\p{L}\p{M}\p{N}\p{Join_Control}]+(?![\p{L}\p{M}\p{N}\p{Join_Control}]|[._@/:-][\p{L}\p{N}])/gu
const ACCENTS = /[\u0300-\u036f\u064b-\u065f]/g
/** Letters that an Arabic keyboard types in another form. */
const PERSIAN = /[کی]/g

/**
 * Stop words by language, without accents. Words with a meaning in another language of the list are left out: German
 * "die" and "war", French "comment", Spanish "son".
 */
const WORDS = [
  `a about also am an and any are as at be been being but by can could did do does for from had has have he her him his
   how if in into is it its me may my not of on or our over she should so some than that the their them then there these they
   this those to was we were what when where which who whom whose why will with would you your`,
  `aber als am an auch auf aus bei beim bist das dass dem den der des durch ein eine einem einen einer eines er es
   fur hatte haben ich ihr ihre im in ist mit nach nicht oder sein seine sich sie sind uber um und unter vom von vor
   wann warum was welche welchem welchen welcher welches wem wen wer werden wie wieviel wieviele wir wird wo wurde wurden zu
   zum zur`,
  `a au aux avec c ce ces cet cette combien d dans de des du elle elles en est et etaient etait il ils j je l la le les
   leur leurs lequel laquelle mais n ne nous on ont ou par pas pourquoi qu quand que quel quelle quelles quels qui
   quoi s sa se ses sont sur t un une y`,
  `a al como con cual cuales cuando cuanta cuantas cuanto cuantos de del donde e el ella en era eran es esta este fue fueron ha
   han la las lo los mas no o para pero por porque que quien quienes se ser si sobre su sus un una unas uno unos y ya`,
  `a ao aos as com como da das de do e em era foi foram ha mais mas na nas no nos o onde os ou para pela pelas pelo pelos por
   porque qual quais quando quanta quantas quanto quantos que quem sao se sem ser seu seus sua suas um uma`,
  `al che chi ci con cosa da dal dalla dei del della delle di e ed gli ha hanno i il in la le lo ma ne nei nel nella
   non o per perche piu quale quali quando quanti quanto si sono su sul sulla un una uno`,
  `aan als bij dat de der deze dit een en er het hij hoe hoeveel in is kan met naar niet of om onder op over te tot uit
   voor waar waarom wanneer wat welk welke werd werden wie wordt worden zijn`,
  `без бы был была были было в во где для до его ее если же за и из или как какая какие какои каков когда который кто к ко ли
   на не но о об от по почему при с сколько со та так то у что чем эта эти это этот`,
  `او اين اي الي التي الذي ان أن أو أي أين إلى إن على عن عند في قد كان كانت كم كيف لماذا ما ماذا متى مع من هذا هذه هل هو هي
   و ومن وما`,
  `از اگر اما ان انها او اي ايا اين با بايد بر براي بود بودند به پس تا تو چرا چطور چقدر چگونه چند چه چي خود داد داده دارد داشت در
   را شد شده شما شود كجا كدام كرد كردند كرده كند كه كي ما من مي نيز نيست ها هاي هر هست هستند هم و ولي يا يك است`,
  `इस इसके उस उसके एक ऐसे और कब कहां कहाँ का कितना कितनी कितने किन किस किसका किसके किसने किसे की कि के को कैसे कौन कौनसा क्या
   क्यों गया गई जो तक तो था थी थे ने पर में यह ये वह वे से हुआ हुई हुए है हैं हो होता होती होते`,
].map((words) => new Set(words.split(/\s+/).map(plain)))

/** Vietnamese, with its accents: without them many are words of another meaning. Words of several syllables are left out. */
const VIETNAMESE = new Set(
  `ai bởi bị cho có cũng của các do gì hay hoặc khi không là mà một này nào nhiêu những như nếu ra rất sẽ thì trong từ tại
   và vào vì về với đang đã đâu đó được đến để ở`.split(/\s+/),
)

/** Question words in Chinese and Japanese, which no space separates from other words. */
const QUESTION_WORDS =
  /为什么|為什麼|是?什么|是?什麼|甚么|甚麼|怎么样?|怎麼樣?|为何|為何|如何|何时|何時|哪[些个個里裡]?|多少|[谁誰吗嗎呢何]|どこ|なぜ|どんな|どちら/g

/** A question without the stop words of its language, which is the one with the most stop words in the question. */
export function withoutStopWords(question: string): string {
  const composed = question.normalize()
  if (hasTones(composed))
    return composed.replace(WORD, (word) => (VIETNAMESE.has(word.toLowerCase()) ? ' ' : word))
  const words = (question.match(WORD) ?? []).map(plain)
  let most = 0
  let language: ReadonlySet<string> | undefined
  for (const stopWords of WORDS) {
    const held = words.filter((word) => stopWords.has(word)).length
    if (held > most) {
      most = held
      language = stopWords
    }
  }
  const rest = question.replace(QUESTION_WORDS, ' ')
  return language ? rest.replace(WORD, (word) => (language.has(plain(word)) ? ' ' : word)) : rest
}

function plain(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(PERSIAN, (letter) => (letter === 'ک' ? 'ك' : 'ي'))
}
