import { findIndex } from './find-index.ts'
import { AT_ONCE, ImagePlace } from './image-place.ts'

/** Upserts, searches and writes image files of a data directory without end, until it is killed. */

const [directory, kill] = process.argv.slice(2) as [string, string]
const place = await new ImagePlace(directory).start(AT_ONCE)
// Several blocks, so that a file is brought up to date by a part of them.
if (!findIndex(place.database.reader, 'n'))
  await place.put(
    'base',
    Array.from({ length: 4000 }, (_, at) => `base text ${at}`),
  )
for (let round = 0; ; round++) {
  const texts = Array.from({ length: 400 }, (_, at) => `text ${kill} ${round % 5} ${at}`)
  await place.put(`s${round % 3}`, texts)
  await place.search()
  await place.store.remove({ sources: [`s${(round + 1) % 3}`] })
  // From now on a kill may come at any moment.
  if (round === 0) process.send!('ready')
}
