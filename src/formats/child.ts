import { readFile } from './read-file.ts'
import { serve } from './serve.ts'

serve(readFile)
