import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInStores } from '../../src/stores/built-in.ts'
import { temporaryDatabase } from '../support/store.ts'
import { publishTexts, sourcesByKeyword } from '../support/text-chunks.ts'

/** Sentences with words that differ by their tones alone: ban, bán, bàn, bạn; ma, má, mã, mạ; muối, muỗi, muội. */
const SENTENCES: Record<string, string> = {
  table: 'Chiếc bàn gỗ đặt giữa phòng khách, quanh nó có bốn cái ghế.',
  friend: 'Người bạn thân của tôi sống ở Đà Nẵng và làm nghề giáo viên.',
  sale: 'Cửa hàng này bán gạo, bán rau và bán cả trái cây theo mùa.',
  committee: 'Ban quản lý tòa nhà họp vào thứ hai hằng tuần.',
  ghost: 'Truyện ma thường được kể vào những đêm mưa.',
  horse: 'Con ngựa của ông lão tên là Mã, chạy rất nhanh.',
  rice: 'Nông dân gieo mạ trước khi cấy lúa ra ruộng.',
  mother: 'Má tôi nấu cơm mỗi chiều khi tan chợ.',
  salt: 'Muối được làm từ nước biển ở các ruộng ven bờ.',
  mosquito: 'Muỗi truyền bệnh sốt rét và sốt xuất huyết.',
  fish: 'Cá nục kho là món ăn quen thuộc của dân chài.',
  tomato: 'Cà chua và cà tím được trồng nhiều ở Lâm Đồng.',
  song: 'Ca sĩ hát một bài dân ca trước khán giả.',
}

const QUESTIONS: [question: string, answer: string][] = [
  ['bàn ở đâu?', 'table'],
  ['bạn là ai?', 'friend'],
  ['bán gì?', 'sale'],
  ['bạn của tôi làm nghề gì?', 'friend'],
  ['mạ là gì?', 'rice'],
  ['má ở đâu?', 'mother'],
  ['dân ca được hát khi nào?', 'song'],
  ['muỗi truyền bệnh gì?', 'mosquito'],
  ['muối được làm từ gì?', 'salt'],
  ['trồng cà ở đâu?', 'tomato'],
  // Typed without tones.
  ['ca nuc kho', 'fish'],
  ['ban go dat giua phong khach', 'table'],
  ['da nang', 'friend'],
]

test('keyword search in Vietnamese ranks the word with the tones of the question first, and finds words typed without tones [search:tones]', async (t) => {
  const store = builtInStores(temporaryDatabase(t)).open('n')
  await publishTexts(
    store,
    Object.entries(SENTENCES).map(([source, text]) => ({ source, texts: [text] })),
  )
  const first = await Promise.all(
    QUESTIONS.map(async ([question]) => [question, (await sourcesByKeyword(store, question))[0]]),
  )
  assert.deepEqual(first, QUESTIONS)
})
