import { createCodeRunner } from './run-code.ts'

/** Runs the code of all flows. Its threads start with the first code that is run, and end when idle. */
export const codeRunner = createCodeRunner()
