import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NeedName, needs, testWith } from '../support/needs'
import { type RoadTrip, startTrip } from '../support/road-trip'
import { type Road, roadPages } from '../support/roads'

/**
 * Every set-up page with a forwarder, followed to the letter with the real programs, all at once into one product. What
 * happens to them happens to any installation within a year. RENOWN_ROADS names pages, RENOWN_ROAD_LINES the lines of each.
 */
const isLong = process.env.RENOWN_LONG === '1'
const stages = 9
/** Restarts and rotations within a stage. */
const bursts = isLong ? 4 : 1
const wantedLines = Number(process.env.RENOWN_ROAD_LINES ?? (isLong ? 100_000 : 900))
const portion = Math.ceil(wantedLines / stages / bursts) * bursts
const lines = portion * stages

const wanted = process.env.RENOWN_ROADS?.split(',') ?? Object.keys(roadPages)
const needsOf = (page: string): readonly NeedName[] => roadPages[page]?.programs ?? []
const pages = wanted.filter((page) => needsOf(page).every((name) => needs[name].isThere()))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-roads-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const restart = (signal?: NodeJS.Signals) => async (road: Road) => {
  await road.stopForwarder(signal)
  road.startForwarder()
}

/** Nine portions of lines, each through something else. */
async function throughAll({ all, caughtUp, underLoad, ...trip }: RoadTrip) {
  const write = () => all((road) => road.write(portion))
  await write()
  await all(async (road) => road.startForwarder())
  await caughtUp('a first start on an existing log')

  await trip.stopProduct()
  await write()
  await trip.startProduct()
  await caughtUp('an outage')

  await underLoad(portion, bursts, restart())
  await caughtUp('restarts of the forwarder')

  let isKilled: Promise<void> | undefined
  await underLoad(portion, isLong ? 3 : 1, async () => {
    isKilled ??= trip.killProduct().then(trip.startProduct)
    await isKilled
    isKilled = undefined
  })
  await caughtUp('kills of the product')

  for (let left = bursts; left > 0; left--) {
    await underLoad(portion / bursts, 1, (road) => road.rotate())
    await caughtUp('a rotation')
  }

  await trip.stopProduct()
  await underLoad(portion, 1, (road) => road.rotate())
  await trip.startProduct()
  await caughtUp('a rotation in an outage')

  await trip.stopProduct()
  await underLoad(portion, bursts, restart())
  await trip.startProduct()
  await caughtUp('restarts of the forwarder in an outage')

  await underLoad(portion, bursts, (road) => restart(road.hasIds ? 'SIGKILL' : 'SIGTERM')(road))
  await caughtUp('kills of the forwarder')

  await write()
  await caughtUp('a burst')
  await trip.stopProduct()
}

for (const page of wanted.filter((each) => !pages.includes(each)))
  testWith(...needsOf(page))(`${page}: lines through outages are counted once each`, () => {})

test(
  `${pages.join(', ')}: ${lines} lines each, through outages, restarts, kills, rotations and a burst, are counted once each`,
  async () => {
    const trip = await startTrip({
      folder,
      pages,
      lines,
      tells: isLong || process.env.RENOWN_ROADS !== undefined,
    })
    try {
      await throughAll(trip)
      expect(await trip.outcome()).toEqual(pages.map((page) => ({ page, hits: lines, lost: 0, twice: 0 })))
    } catch (error) {
      for (const { page, forwarderLog } of trip.roads) console.log(page, (await forwarderLog()).slice(-2_000))
      throw error
    } finally {
      await trip.close()
    }
  },
  isLong ? 1_100_000 : 240_000,
)
