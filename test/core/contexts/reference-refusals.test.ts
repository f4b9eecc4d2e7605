import { describe, expect, test } from 'bun:test'
import {
  inOtherWorkspace,
  noneNamed,
  type ReferencePosition,
  severalNamed,
} from '../../../core/contexts/reference-refusals'
import type { AnyEntity } from '../../../core/contracts/entity'
import type { Refusal } from '../../../core/contracts/errors'

const named = { name: 'Location', namedIn: { names: ['name'], domains: ['domain'] } } as unknown as AnyEntity
const shown = { name: 'Draft', namedIn: { shown: ['text', 'at'] } } as unknown as AnyEntity
const bare = { name: 'Job' } as unknown as AnyEntity
const place = (entity: AnyEntity, more: Partial<ReferencePosition> = {}): ReferencePosition => ({
  argument: 'q.location_id',
  entity,
  ...more,
})
const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, name: `Name ${at}` }))
const told = ({ code, message, details }: Refusal) => ({ code, message, ...details }) as unknown

describe('a name of several records', () => {
  test('is refused with the ids that it may be, at most ten', () => {
    const ids = rows(10).map(({ id }) => id)
    const message = 'names 12 records. Send one of these ids'
    expect(told(severalNamed(place(named), rows(12)))).toEqual({
      code: 'invalid_field',
      message: `\`q.location_id\` ${message}: ${ids.join(', ')}.`,
      errors: [{ pointer: '/q/location_id', code: 'ambiguous', message, allowed: ids }],
    })
    const at = { parameter: 'id' } as never
    expect(told(severalNamed(place(named, { at, isRecord: true, argument: 'id' }), rows(2)))).toMatchObject({
      code: 'invalid_parameter',
      message: '`id` names 2 records. Send one of these ids: r0, r1.',
      errors: [{ parameter: 'id' }],
    })
  })
})

describe('a name of no record', () => {
  test('is refused with the names that there are, and the one that is near', () => {
    const message = 'is not the id, name or domain of a record in this workspace'
    const known = [{ id: 'r', name: '', domain: '' }, { id: 's', domain: 'd.test' }, ...rows(12)]
    expect(told(noneNamed(place(named), 'Nam 3', known))).toEqual({
      code: 'not_found',
      message: `\`q.location_id\` ${message}.`,
      errors: [
        {
          pointer: '/q/location_id',
          code: 'not_found',
          message,
          allowed: ['d.test', ...rows(9).map(({ name }) => name)],
          did_you_mean: 'Name 3',
        },
      ],
    })
    expect(told(noneNamed(place(named, { isRecord: true }), 'zzzzzz', []))).toEqual({
      code: 'not_found',
      message: 'There is no Location with this id, name or domain in the workspace.',
      errors: [{ pointer: '/q/location_id', code: 'not_found', message, allowed: [] }],
    })
  })

  test('of records without names shows the newest', () => {
    const message = 'is not the id of a record in this workspace'
    const errors = [{ pointer: '/q/location_id', code: 'not_found', message }]
    const found = [{ id: 'd1', text: 'Hello', at: 5 }, { id: 'd2' }]
    expect(told(noneNamed(place(shown), 'x', found))).toEqual({
      code: 'not_found',
      message: `\`q.location_id\` ${message}.`,
      errors,
      hint: 'The newest records of Draft are d1 (Hello, 5); d2 (, ).',
    })
    for (const [entity, some] of [
      [shown, []],
      [bare, found],
    ] as const)
      expect(told(noneNamed(place(entity, { isRecord: true }), 'x', some))).toEqual({
        code: 'not_found',
        message: `There is no ${entity.name} with this id in the workspace.`,
        errors,
      })
  })
})

describe('a record of another workspace', () => {
  test('is refused without its name where the credential cannot read it', () => {
    const errors = (message: string) => [{ pointer: '/q/location_id', code: 'not_in_workspace', message }]
    expect(told(inOtherWorkspace(place(named), null))).toEqual({
      code: 'not_in_workspace',
      message: '`q.location_id` names a record of another workspace.',
      errors: errors('names a record of another workspace'),
    })
    expect(told(inOtherWorkspace(place(named, { isRecord: true }), null))).toEqual({
      code: 'not_in_workspace',
      message: 'The Location is in another workspace.',
      errors: errors('is in another workspace'),
    })
  })

  test('is refused with what to send', () => {
    const workspace = { id: 'wsp_2', name: `${'n'.repeat(79)}\u{1f600}` }
    const name = `${'n'.repeat(79)}\ufffd`
    const message = `is not in this workspace; it belongs to ${name}: pass workspace_id`
    expect(told(inOtherWorkspace(place(named), workspace))).toEqual({
      code: 'not_in_workspace',
      message: `\`q.location_id\` ${message}.`,
      errors: [{ pointer: '/q/location_id', code: 'not_in_workspace', message }],
      hint: 'Send the header X-Workspace-Id: wsp_2',
      extra: { workspace_id: 'wsp_2', workspace_name: name },
    })
    const chosen = told(inOtherWorkspace(place(named), { id: 'wsp_2', name: 'Shop' }, true))
    expect(chosen).toMatchObject({
      message: '`q.location_id` is not in this workspace; it belongs to Shop: name it in workspaces.',
    })
    expect(chosen).not.toHaveProperty('hint')
  })
})
