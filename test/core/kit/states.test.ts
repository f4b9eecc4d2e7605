import { describe, expect, test } from 'bun:test'
import { isRefusal } from '../../../core/contracts/errors'
import { defineStates, mayMove, moveState } from '../../../core/kit/states'

const door = defineStates({
  entity: 'Door',
  field: 'state',
  moves: { open: ['shut'], shut: ['open', 'locked'], locked: ['shut'], gone: [] },
  initial: ['open', 'shut'],
  stamps: { every: 'moved_at', locked: 'locked_at' },
  needs: { locked: ['key'] },
  clears: { locked: ['key'] },
})
const now = new Date('2026-01-02T03:04:05.678Z')

describe('A move', () => {
  test('carries the state, its stamp and what was given with it', () => {
    expect(moveState(door, 'shut', 'locked', { now, with: { key: 'brass' } })).toMatchObject({
      state: 'locked',
      key: 'brass',
      moved_at: '2026-01-02T03:04:05.678Z',
      locked_at: '2026-01-02T03:04:05.678Z',
    })
  })
  test('removes on leaving what belonged to the state alone', () => {
    const changes = moveState(door, 'locked', 'shut', { now })
    expect(Object.keys(changes)).toContain('key')
    expect(changes.key).toBeUndefined()
  })
  test('from nothing is a beginning, and only into a state that is one', () => {
    expect(moveState(door, null, 'open', { now })).toMatchObject({
      state: 'open',
      moved_at: now.toISOString(),
    })
    expect(mayMove(door, null, 'gone')).toBe(false)
    expect(() => moveState(door, null, 'gone', { now })).toThrow('starts as open or shut')
  })
  test('that is not in the table is a conflict that names the open ones', () => {
    for (const [from, to] of [
      ['open', 'locked'] as const,
      ['gone', 'open'] as const,
      ['open', 'open'] as const,
    ]) {
      expect(mayMove(door, from, to)).toBe(false)
      expect(() => moveState(door, from, to, { now })).toThrow(/cannot move/)
    }
    expect(() => moveState(door, 'shut', 'gone', { now })).toThrow('From shut it can move to open, locked')
    expect(() => moveState(door, 'gone', 'open', { now })).toThrow('it is final')
  })
  test('without what the state needs is refused by the name of the field', () => {
    try {
      moveState(door, 'shut', 'locked', { now })
      expect.unreachable()
    } catch (error) {
      expect(isRefusal(error) && [error.code, error.details.errors?.[0]?.pointer]).toEqual([
        'invalid_field',
        '/key',
      ])
    }
  })
})
