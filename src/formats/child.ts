import { keepHeapSmall } from '../kit/small-heap.ts'
import { FILE_LIMITS } from './limits.ts'
import { readFileParts } from './read-file.ts'
import { serveParser } from './serve-parser.ts'

keepHeapSmall()
serveParser((request, help) => readFileParts(request, FILE_LIMITS, help))
