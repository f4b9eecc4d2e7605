import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  listingParts,
  type PlatformProfile,
  type ProfileSource,
  profileFieldNames,
  profileSource,
} from 'renown/profiles'
import { isPassing, isServiceFault } from '../../core/contracts/service-fault'
import { unreadableAnswers } from './liar'
import { passingFaults, type SourceSetup, type SourceWorld, sourceWorld } from './source-world'

/** How `testProfileSource` drives a profile source. */
export interface ProfileSourceSuite extends SourceSetup {
  /** Answers a request as the platform does, for a business with at least a phone number. */
  fetch(request: Request): Promise<Response>
  /** Fields that the profile has at the stand-in. */
  readonly fields: PlatformProfile['fields']
  /**
   * Answers that are real ones at this platform, by the number of the request and their name: `2: {}` when the platform answers the second
   * request with `{}` to say that there is nothing.
   */
  readonly real?: readonly string[]
}

type World = SourceWorld<ProfileSource>

/**
 * Writes the tests of the contract of `locations.profile`: which locations are read, what a profile holds, answers that cannot be read and
 * passing faults, and the public listing where there is one. Call it in a test file.
 */
export function testProfileSource(suite: ProfileSourceSuite): void {
  const held: { world?: World } = {}
  const world = () => held.world as World
  describe(`the profile source ${suite.name}`, () => {
    beforeAll(async () => {
      held.world = await sourceWorld(profileSource, suite, suite.fetch)
    })
    afterAll(() => held.world?.stop())
    testProfile(world, suite)
    testProfileFaults(world, suite)
    testPublicListing(world)
  })
}

async function readProfile({ ctx, extension, location }: World, signal = new AbortController().signal) {
  const reader = await extension.open(ctx, location)
  if (!reader) throw new Error('The source does not read its own location')
  return reader.read(signal)
}

const outcome = async <T>(work: () => Promise<T>): Promise<{ value: T } | { fault: unknown }> => {
  try {
    return { value: await work() }
  } catch (fault) {
    return { fault }
  }
}

const time = /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/

function testProfile(world: () => World, { fields }: ProfileSourceSuite) {
  test('opens its own location without a request, and none that the platform does not know', async () => {
    const { ctx, extension, location, asked, meddle } = world()
    meddle(null)
    expect(await extension.open(ctx, location)).not.toBeNull()
    expect(await extension.open(ctx, { id: 'loc_1', workspace_id: location.workspace_id })).toBeNull()
    expect(asked.count).toBe(0)
  })

  test('reads a profile with an id, an address and the fields of a location', async () => {
    world().meddle(null)
    const profile = await readProfile(world())
    expect(profile.id).not.toBe('')
    expect(profile.url).toMatch(/^https?:\/\//)
    expect(profile.fields).toMatchObject({ ...fields })
    expect(
      Object.keys(profile.fields).filter((name) => !profileFieldNames.some((one) => one === name)),
    ).toEqual([])
    expect(profile.unread ?? []).toEqual([])
    const periods = Object.values(profile.hours ?? {}).flat()
    expect(periods.flatMap(({ opens, closes }) => [opens, closes]).filter((one) => !time.test(one))).toEqual(
      [],
    )
  })

  test('gives the same id on every read', async () => {
    world().meddle(null)
    const { id } = await readProfile(world())
    expect((await readProfile(world())).id).toBe(id)
  })
}

/** Fields that a read lost and did not name as unread. */
function lost(before: PlatformProfile, after: PlatformProfile): string[] {
  const unread = new Set<string>(after.unread ?? [])
  return Object.entries(before.fields).flatMap(([name, value]) => {
    const now = after.fields[name as keyof PlatformProfile['fields']]
    return now === value || unread.has(name) ? [] : [name]
  })
}

/** How many requests an honest read sends. */
async function requestsOf(world: World): Promise<number> {
  world.meddle(null)
  await readProfile(world)
  return world.asked.count
}

function testProfileFaults(world: () => World, { real = [] }: ProfileSourceSuite) {
  test.each(Object.entries(unreadableAnswers))('does not take %s for a profile', async (kind, answer) => {
    const count = await requestsOf(world())
    const before = await readProfile(world())
    for (let nth = 1; nth <= count; nth++) {
      if (real.includes(`${nth}: ${kind}`)) continue
      world().meddle((honest, at) => (at === nth ? answer(honest) : honest))
      const read = await outcome(() => readProfile(world()))
      if ('fault' in read) expect(isServiceFault(read.fault)).toBe(true)
      else expect([nth, lost(before, read.value)]).toEqual([nth, []])
    }
  })

  test.each(Object.entries(passingFaults))('throws a fault that passes for %s', async (_, meddler) => {
    world().meddle(meddler)
    const read = await outcome(() => readProfile(world()))
    expect('fault' in read && isServiceFault(read.fault) && isPassing(read.fault)).toBe(true)
  })

  test('stops when the job is called off', async () => {
    world().meddle(null)
    expect(await outcome(() => readProfile(world(), AbortSignal.abort()))).toHaveProperty('fault')
  })
}

function testPublicListing(world: () => World) {
  const read = () => {
    const { ctx, extension, location } = world()
    return extension.publicListings?.read(ctx, location, new AbortController().signal)
  }

  test('shows a public listing where it has them, and says why where it cannot', async () => {
    const { ctx, extension, location, meddle, asked } = world()
    if (!extension.publicListings) return
    meddle(null)
    const { refusal } = extension.publicListings
    expect(refusal(ctx, location)).toBeNull()
    expect(refusal(ctx, { id: 'loc_1', workspace_id: location.workspace_id })).toMatch(/./)
    expect(asked.count).toBe(0)
    const listing = await read()
    expect(Object.keys(listing?.filled ?? {}).sort()).toEqual([...listingParts].sort())
    expect(Object.values(listing?.filled ?? {})).toContain(true)
    expect(Number.isInteger(listing?.ratings)).toBe(true)
  })

  test.each(Object.entries(unreadableAnswers))('does not take %s for a public listing', async (_, answer) => {
    if (!world().extension.publicListings) return
    world().meddle(answer)
    expect(await outcome(async () => read())).toMatchObject({ fault: { name: 'ServiceFault' } })
  })
}
