import { ago, dayMs, giveUp, hourMs, idOf, locate, minuteMs, type Part, put, reply } from './story-hand'

const thanks = { reply: 'Hello Ann, thank you very much for your review.' }

const page: Part = async (world, step) => {
  const { facebook, model, bench } = world
  await world.rules({ ratings: [5], include_unrated: true, newest_days: 2 })
  const at = ago(world, minuteMs)
  put(world, '777_1')
  put(world, '777_2', { stars: 1, text: '' })
  put(world, '777_3', { stars: 1, text: 'Rude staff', reply: { text: 'Sorry', at } })
  put(world, '777_4', { created: ago(world, 3 * dayMs) })
  put(world, 'legacy1', { stars: 4 })
  facebook.figures = { overall_star_rating: 4.2, rating_count: 9 }
  await step('the first sync', () => world.sync())
  world.later(95 * minuteMs)
  model.answers.splice(0, 9, thanks)
  await step('an automatic reply is sent', () => reply(world, '777_1'))
  put(world, '777_2', { stars: 5 })
  world.later(25 * hourMs)
  facebook.hidden.add('777_4')
  await step('one turned, and one is missing', () => world.sync())
  world.later(2 * hourMs)
  await step('it is missing again', () => world.sync())
  facebook.hidden.clear()
  world.later(25 * hourMs)
  await step('it is back', () => world.sync())
  const review_id = await idOf(world, '777_2')
  const send = (text: string, replace = false) => bench.command('review reply', { review_id, text, replace })
  await step('a person replies', () => send('Thank you!'))
  facebook.replyFaults.push('lost')
  await step('the answer is lost', () => world.act(review_id))
  await step('the reply is found', () => world.act(review_id, 2))
  await step('it is changed', () => send('Thank you very much!', true))
  await step('the change is sent', () => world.act(review_id))
  await step('it is deleted', () => bench.command('review reply delete', { review_id }))
  await step('the deletion is sent', () => world.act(review_id))
  await step('another is requested', () => send('Thank you!'))
  facebook.reviews.delete('777_2')
  await step('the review is gone before', () => world.act(review_id))
}

const brokenPage: Part = async (world, step) => {
  const { facebook } = world
  const fault = (code: number) => ({ kind: 'error', code }) as const
  for (const code of [2, 4, 10, 100, 190]) {
    world.later(25 * hourMs)
    facebook.faults.push(fault(code))
    await step(`the platform answers ${code}`, () => world.sync())
    facebook.faults.length = 0
  }
  await step('it is given up', () => giveUp(world, 'sync', { kind: 'permission', message: 'No.' }))
  await step('it is given up again', () => giveUp(world, 'sync', { kind: 'permission', message: 'No.' }))
}

const importedOnly: Part = async (world, step) => {
  for (const id of ['r0', 'r1', 'r2', 'r3']) put(world, id)
  await step('the first import', () => world.sync())
  world.later(25 * hourMs)
  put(world, 'r4', { stars: 2, text: 'Cold soup' })
  await step('the next import', () => world.sync())
  const key = { kind: 'auth', message: 'The key is refused.' } as const
  await step('its key is refused', () => giveUp(world, 'sync', key))
  await step('it is refused again', () => giveUp(world, 'sync', key))
  const review_id = await idOf(world, 'ChZDr1')
  await step('nobody can reply', () => world.bench.command('review reply', { review_id, text: 'Thanks' }))
}

const connected: Part = async (world, step) => {
  put(world, 'new')
  world.google.reviews.delete('r3')
  await locate(world, {
    added_via: 'gbp_oauth',
    google_account_id: 'accounts/111',
    google_location_id: 'locations/222',
  })
  world.later(25 * hourMs)
  await step('the account of the location reads it', () => world.sync())
  world.later(25 * hourMs)
  await step('and reads it again', () => world.sync())
}

/** A location of a Page, and what goes wrong there. */
export const facebookParts: readonly Part[] = [page, brokenPage]
/** A location whose reviews are imported, until its account is connected. */
export const placesParts: readonly Part[] = [importedOnly, connected]
