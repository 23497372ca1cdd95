import { keepHeapSmall } from '../kit/small-heap.ts'
import { readFile } from './read-file.ts'
import { serve } from './serve.ts'

keepHeapSmall()
serve(readFile)
