import { keepHeapSmall } from '../kit/small-heap.ts'
import { readFileParts } from './read-file.ts'
import { serveParser } from './serve-parser.ts'

keepHeapSmall()
serveParser(readFileParts)
