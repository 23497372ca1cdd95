import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TermReader } from './terms.ts'

function termsOf(text: string): number[] {
  const terms: number[] = []
  new TermReader((term) => terms.push(term)).read(text)
  return terms
}

const contains = (text: string, asked: string) => {
  const terms = new Set(termsOf(text))
  return termsOf(asked).every((term) => terms.has(term))
}

test('TermReader reads forms of a word as one term', () => {
  const rows = [
    ['Harbour', 'harbour', 'HARBOUR', 'harbours'],
    ['story', 'stories'],
    ['running', 'runs', 'run'],
    ['naïve', 'naive', 'nai\u0308ve'],
    ['Straße', 'STRASSE', 'strasse'],
    ['Œuvre', 'oeuvre'],
    ['ｆｕｌｌ', 'full'],
    ['com\u00adputer', 'computer'],
    ['٢٠٢٦', '2026', '२०२६'],
    ['международный', 'международная', 'международных'],
    ['Αθήνα', 'αθηνα'],
    ['الكتاب', 'كتاب', 'وَالكِتَاب', 'كتابه'],
    ['مدرسة', 'المدرسه'],
    ['लड़का', 'लड़के', 'लड़कों'],
    ['שָׁלוֹם', 'שלום'],
  ]
  for (const [first, ...others] of rows)
    for (const other of others) assert.deepEqual(termsOf(other), termsOf(first!), `${first} ${other}`)
})

test('TermReader reads a Vietnamese word with its tones and without them [search:tones]', () => {
  const text = 'Phở bò là món ăn nổi tiếng của Hà Nội, thường được ăn vào buổi sáng.'
  for (const asked of ['phở bò Hà Nội', 'pho bo ha noi', 'PHỞ BÒ', 'pho\u031b\u0309'])
    assert.ok(contains(text, asked), asked)
  // The same letters with other tones: "bỏ" is to leave, "phố" a street.
  for (const other of ['bỏ', 'phố', 'nổi tiếng hả', 'sạng']) assert.ok(!contains(text, other), other)
  const plain = (asked: string) => termsOf(asked).length
  assert.equal(plain('phở') - plain('pho'), 1)
  // Yoruba has its tones and dotted letters in the same letters.
  assert.ok(contains('Ọkọ̀ náà ti dé', 'ọkọ̀'))
  assert.ok(!contains('Ọkọ̀ náà ti dé', 'ọkọ́'))
})

test('TermReader reads accents in other languages as before, without a second term', () => {
  for (const [accented, plain] of [
    ['élève déjà façade', 'eleve deja facade'],
    ['señor mañana', 'senor manana'],
    ['Übergröße', 'ubergrosse'],
    ['coração não', 'coracao nao'],
    ['čeština řeka', 'cestina reka'],
    ['đá', 'da'],
  ] as const)
    assert.deepEqual(termsOf(accented), termsOf(plain), accented)
})

test('TermReader distinguishes words that are not forms of one word', () => {
  const rows = [
    ['car', 'cart'],
    ['bus', 'us'],
    ['class', 'clay'],
    ['red', 'ring'],
    ['कला', 'कमल'],
    ['кот', 'кит'],
    ['1.2.3', '12.3'],
    ['日本', '本日'],
  ]
  for (const [one, other] of rows) assert.ok(!contains(one!, other!), `${one} ${other}`)
})

test('TermReader finds names as a whole and in parts, with any separator', () => {
  const rows: [text: string, asked: string[]][] = [
    ['getUserName()', ['getUserName', 'get_user_name', 'getusername', 'user', 'user name']],
    ['MAX_RETRY_COUNT=3', ['max_retry_count', 'retry', 'maxRetryCount']],
    ['parseHTTPResponse', ['HTTP', 'response', 'parseHttpResponse']],
    ['upgrade to v1.2.3.', ['v1.2.3', 'V1.2.3', '3']],
    ['fails with ERR_SSL (E1042)', ['E1042', '1042', 'ERR_SSL', 'ssl']],
    ['write to jane.doe@example.com, please', ['jane.doe@example.com', 'doe', 'jane', 'example']],
    ['see https://docs.example.com/a-b/c', ['docs', 'example', 'a-b']],
    ['COVID-19', ['covid19', 'covid', '19']],
    ['JavaScript', ['javascript', 'script']],
    ['state-of-the-art', ['state', 'art', 'state-of-the-art']],
    ['The iPhone15', ['iPhone15', 'phone', '15']],
  ]
  for (const [text, asked] of rows) for (const one of asked) assert.ok(contains(text, one), `${text}: ${one}`)
  assert.ok(!contains('get the user name', 'getUserName'))
})

test('TermReader finds words in scripts without spaces by their characters', () => {
  const rows: [text: string, asked: string[], not: string[]][] = [
    ['東京都は日本の首都である', ['東京', '日本', '首都', '都'], ['京東', '大阪']],
    ['カタカナとﾊﾝｶｸ', ['カナ', 'ハンカク'], ['ナカ']],
    ['中华人民共和国成立', ['共和国', '成立', '国'], ['和共']],
    ['서울특별시는 대한민국의 수도', ['서울', '대한민국', '\u1109\u116e\u1103\u1169'], ['울서']],
    ['กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย', ['กรุงเทพ', 'เมือง', 'ประเทศไทย', 'ไท'], ['เชียงใหม่']],
    ['iPhone手机和Android', ['手机', 'iphone', 'android'], ['机和机']],
    ['𠮷野家', ['𠮷野', '家'], ['野𠮷']],
  ]
  for (const [text, asked, not] of rows) {
    for (const one of asked) assert.ok(contains(text, one), `${text}: ${one}`)
    for (const one of not) assert.ok(!contains(text, one), `${text}: not ${one}`)
  }
})

test('TermReader finds no terms in other characters, and accepts any text', () => {
  for (const text of ['', ' \n\t', '--- ... @/:', '“”«»‘’', '🙂🙃', '\ud83d', '\udc00', '\u0301\u200b'])
    assert.deepEqual(termsOf(text), [], JSON.stringify(text))
  assert.equal(termsOf('x'.repeat(100_000)).length, 1)
  assert.equal(termsOf('a_'.repeat(50_000)).length, 50_000)
  assert.ok(contains(`${'a1'.repeat(500)} end`, 'end'))
})

test('TermReader reads a word in the same way at any position', () => {
  const [alone] = termsOf('harbours')
  for (const text of ['a harbours.', '(harbours)', 'x_y harbours', '日harbours本', 'harbours/', 'é harbours'])
    assert.ok(termsOf(text).includes(alone!), text)
})
