import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { FacebookFault } from '../../support/stand-ins/facebook'
import { platformWorld } from '../reviews/support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
beforeEach(async () => {
  world = await platformWorld({ platform: 'facebook' })
})
afterEach(() => world.bench.stop())

const sunset: FacebookFault = { kind: 'error', code: 12, message: '(#12) Recommendation is deprecated' }
const figures = async () => {
  const { average_rating, total_reviews } = await world.location()
  return [average_rating, total_reviews]
}

test("the Page's own figures stand beside its recommendations, and count in no reading", async () => {
  world.facebook.figures = { overall_star_rating: 4.6, rating_count: 412 }
  await world.sync()
  expect(await figures()).toEqual([4.6, 412])
  world.facebook.figures = { overall_star_rating: 4.7, rating_count: 413 }
  world.later(15 * 60_000)
  await world.sync()
  expect(await figures()).toEqual([4.7, 413])
  expect(world.facebook.complaints).toEqual([])
})

test('they are kept up where recommendations are offered no more', async () => {
  world.facebook.figures = { overall_star_rating: 4.2, rating_count: 80 }
  world.facebook.faults.push(sunset)
  await expect(world.sync()).rejects.toMatchObject({ kind: 'unsupported' })
  expect(await figures()).toEqual([4.2, 80])
})

test('a Page that nobody has rated has no average', async () => {
  world.facebook.figures = { overall_star_rating: 3, rating_count: 1 }
  await world.sync()
  world.facebook.figures = { overall_star_rating: 0, rating_count: 0 }
  await world.sync()
  expect(await figures()).toEqual([undefined, 0])
})

test.each([
  ['nothing is said of them', null, []],
  ['they are in no known form', { overall_star_rating: 17, rating_count: 3 }, []],
  ['they are refused', { overall_star_rating: 1, rating_count: 1 }, [{ kind: 'error', code: 10 } as const]],
  ['they come as a page', { overall_star_rating: 1, rating_count: 1 }, [{ kind: 'html' } as const]],
])('where %s, the reading goes on and the figures of before stay', async (_, told, faults) => {
  world.facebook.figures = { overall_star_rating: 4.6, rating_count: 412 }
  await world.sync()
  world.facebook.figures = told
  world.facebook.figureFaults.push(...faults)
  await world.sync()
  expect(await figures()).toEqual([4.6, 412])
})
