import { describe, expect, test } from 'bun:test'
import { isRefusal } from '../../../../../core/contracts/errors'
import { createStreamSlots, type StreamOwner } from '../../../../../core/web/framework/streams/stream-slots'

const owner = (agency: string, place: number): StreamOwner => ({
  person: `${agency} person ${place}`,
  workspace: `${agency} workspace ${place % 20}`,
  agency,
})

/** Slots on which every open stream is known by a name, oldest first. */
function bench(limits = { perPerson: 4, perWorkspace: 100, all: 100 }) {
  const slots = createStreamSlots(limits)
  const open = new Set<string>()
  const enter = (name: string, of: StreamOwner) => {
    const leave = slots.enter(of, () => open.delete(name))
    open.add(name)
    return () => {
      open.delete(name)
      leave()
    }
  }
  const refused = (name: string, of: StreamOwner) => {
    try {
      enter(name, of)
    } catch (error) {
      return isRefusal(error) && { status: error.status, limits: error.details.extra?.['violated-policies'] }
    }
    return null
  }
  return { slots, open, enter, refused }
}

describe('the slots of streams', () => {
  test('are limited for one person, however often they signed in', () => {
    const { enter, refused, slots } = bench()
    const person = { person: 'ada', workspace: 'one', agency: 'a' }
    for (let place = 0; place < 4; place++) enter(`${place}`, person)
    expect(refused('more', person)).toEqual({ status: 429, limits: ['streams-per-person'] })
    expect(refused('other', { ...person, person: 'ben' })).toBeNull()
    expect(slots.load()).toEqual({ open: 5, max: 100, ended: 0, refused: 1 })
  })

  test('are limited for one workspace', () => {
    const { enter, refused } = bench({ perPerson: 100, perWorkspace: 3, all: 100 })
    const one = (place: number) => ({ person: `person ${place}`, workspace: 'one', agency: 'a' })
    for (let place = 0; place < 3; place++) enter(`${place}`, one(place))
    expect(refused('more', one(9))).toEqual({ status: 429, limits: ['streams-per-workspace'] })
    expect(refused('other', { ...one(9), workspace: 'two' })).toBeNull()
  })

  test('go from the agency that fills them to others, the oldest first, until all have the same', () => {
    const { enter, open, refused, slots } = bench()
    for (let place = 0; place < 100; place++) enter(`loud ${place}`, owner('loud', place))
    expect(refused('loud more', owner('loud', 500))).toEqual({ status: 429, limits: ['streams'] })
    for (let place = 0; place < 49; place++) enter(`quiet ${place}`, owner('quiet', place))
    expect([...open].filter((name) => name.startsWith('quiet'))).toHaveLength(49)
    expect(open.has('loud 0')).toBe(false)
    expect(open.has('loud 99')).toBe(true)
    expect(slots.load()).toMatchObject({ open: 100, ended: 49 })
    enter('third', owner('third', 0))
    expect(open.size).toBe(100)
  })

  test('are free again once, however a stream ends', () => {
    const { slots } = bench({ perPerson: 1, perWorkspace: 1, all: 1 })
    const leave = slots.enter(owner('a', 0), () => {})
    leave()
    leave()
    expect(slots.load().open).toBe(0)
    slots.enter(owner('a', 0), () => {})
    leave()
    expect(slots.load().open).toBe(1)
  })
})
