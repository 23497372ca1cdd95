import type { EngineRecipe } from './engine-source.ts'

/**
 * Where a separate engine is, and how it is reached. `engine`: its name, as indexes have it. `place`: tells the places of one engine
 * apart, which may have other credentials.
 */
export type EnginePlace = { engine: string; place: string; recipe: EngineRecipe }

/**
 * Stores how the engines are reached that hold points, so that these can be deleted when no flow names their engine any more. Recipes are
 * sealed: an address may have a password in it. Secrets of credentials are not stored.
 */
export type EnginePlaceStore = {
  /** Stores a place as used at a moment, in ms since 1970. */
  keep(place: EnginePlace, now: number): Promise<void>
  /** The places of an engine, the last used first. Those that this secret does not open are left out. */
  find(engine: string): Promise<EnginePlace[]>
  /** Removes places that were last used before a moment, of engines that no index has. */
  removeUnused(before: number): Promise<void>
}
