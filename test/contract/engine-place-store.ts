import assert from 'node:assert/strict'
import type { EnginePlace } from '../../src/contract/engine-place-store.ts'
import { type MakeRepositories, promisesOf } from './repositories.ts'

const ENGINE = 'chroma engine.example docs'

const placeOf = (changes: Partial<EnginePlace> = {}): EnginePlace => ({
  engine: ENGINE,
  place: 'a',
  recipe: {
    card: 'chroma',
    inputs: { chromaURL: 'http://me:secret-word@engine.example', nested: { list: [1, null] } },
    byRequest: false,
  },
  ...changes,
})

/** What every store of the places of engines promises; run by each implementation. */
export function enginePlaceStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the EnginePlaceStore`, make)

  promises('gives the places of an engine, the last used first, each once', async ({ enginePlaces }) => {
    assert.deepEqual(await enginePlaces.find(ENGINE), [])
    await enginePlaces.keep(placeOf(), 1)
    await enginePlaces.keep(placeOf({ place: 'b' }), 2)
    await enginePlaces.keep(placeOf({ engine: 'other' }), 3)
    assert.deepEqual(await enginePlaces.find(ENGINE), [placeOf({ place: 'b' }), placeOf()])
    const again = placeOf({ recipe: { card: 'chroma', inputs: {}, byRequest: true } })
    await enginePlaces.keep(again, 4)
    assert.deepEqual(await enginePlaces.find(ENGINE), [again, placeOf({ place: 'b' })])
  })

  promises('keeps the last eight places of an engine', async ({ enginePlaces }) => {
    for (let at = 0; at < 10; at++) await enginePlaces.keep(placeOf({ place: `${at}` }), at)
    await enginePlaces.keep(placeOf({ engine: 'other' }), 0)
    const found = (await enginePlaces.find(ENGINE)).map(({ place }) => place)
    assert.deepEqual(found, ['9', '8', '7', '6', '5', '4', '3', '2'])
    assert.equal((await enginePlaces.find('other')).length, 1)
  })

  promises('seals recipes, and leaves out what belongs to another row', async ({ enginePlaces, sql }) => {
    await enginePlaces.keep(placeOf(), 1)
    // A recipe in clear is none that the secret opens.
    await sql(
      `INSERT INTO engine_places SELECT engine, 'clear', '{"engine":"${ENGINE}","place":"clear"}', 5 FROM engine_places`,
    )
    await sql(
      `INSERT INTO engine_places SELECT 'taken', place, sealed, 6 FROM engine_places WHERE place = 'a'`,
    )
    await sql(`UPDATE engine_places SET place = 'read' WHERE sealed LIKE '%secret-word%'`)
    assert.deepEqual(await enginePlaces.find(ENGINE), [placeOf()])
    assert.deepEqual(await enginePlaces.find('taken'), [])
  })

  promises(
    'removes places that were not used for long, unless an index has their engine',
    async ({ enginePlaces, sql }) => {
      await enginePlaces.keep(placeOf(), 1)
      await enginePlaces.keep(placeOf({ engine: 'unused' }), 1)
      await enginePlaces.keep(placeOf({ engine: 'late' }), 10)
      await sql(
        `INSERT INTO indexes (namespace, embedder, engine, state, created_at) VALUES ('n', 'e', '${ENGINE}', 'retired', 1)`,
      )
      await enginePlaces.removeUnused(10)
      assert.equal((await enginePlaces.find(ENGINE)).length, 1)
      assert.equal((await enginePlaces.find('unused')).length, 0)
      assert.equal((await enginePlaces.find('late')).length, 1)
    },
  )
}
