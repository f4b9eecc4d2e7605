import { describe, expect, test } from 'bun:test'
import { type AnyEntity, isRefusal } from 'renown'
import { filterablePaths, filterBounds, filterOperators, parseFilter } from '../../../core/query/filter'
import { checkNames, listBounds, parseListQuery, withDefaults } from '../../../core/query/parse'
import { Sample } from '../../support/sample-entity'

/** A refusal in short: its status and code, then each fault with its place, what is accepted and what was meant. */
function refusalOf(params: Record<string, string> | string): string[] {
  try {
    parseListQuery(Sample, new URLSearchParams(params))
    return ['taken']
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const fault of error.details.errors ?? []) expect(Object.values(fault)).not.toContain(undefined)
    const faults = (error.details.errors ?? []).map(({ parameter, pointer, code, allowed, did_you_mean }) => {
      const named = allowed?.join(' ') === filterablePaths(Sample).join(' ') ? '*' : allowed?.join(' ')
      return `${parameter} ${pointer ?? '-'} ${code}${named ? ` [${named}]` : ''}${did_you_mean ? ` ? ${did_you_mean}` : ''}`
    })
    return [`${error.status} ${error.code}`, ...faults]
  }
}

/** A filter and how it is refused. `*` stands for every field that a filter may name. */
const filters: readonly (readonly [string, ...string[]])[] = [
  ['', '400 malformed_filter', 'q - malformed'],
  ['[]', '400 malformed_filter', 'q - malformed'],
  ['[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[', '400 malformed_filter', 'q - malformed'],
  [
    ' {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a": {"a":',
    '422 invalid_filter',
    'q  too_deep',
  ],
  ['{"scroe":1}', '422 invalid_filter', 'q /scroe unknown_field ? score'],
  ['{"zzzzzzzz":1}', '422 invalid_filter', 'q /zzzzzzzz unknown_field [*]'],
  ['{"secret":1}', '422 invalid_filter', 'q /secret unknown_field [*]'],
  ['{"raw":1}', '422 invalid_filter', 'q /raw opaque_field'],
  ['{"$foo":1}', '422 operator_not_allowed', 'q /$foo operator_not_allowed [$and $or $nor] ? $or'],
  ['{"$an":[]}', '422 operator_not_allowed', 'q /$an operator_not_allowed [$and $or $nor] ? $and'],
  ['{"$and":[]}', '422 invalid_filter', 'q /$and wrong_type'],
  ['{"$and":{}}', '422 invalid_filter', 'q /$and wrong_type'],
  ['{"$or":[1,{"stage":"new"},"x"]}', '422 invalid_filter', 'q /$or/0 wrong_type', 'q /$or/2 wrong_type'],
  ['{"stage":"nwe"}', '422 invalid_filter', 'q /stage invalid_value [new contacted won lost]'],
  [
    '{"stage":{"$in":["new","nwe",7]}}',
    '422 invalid_filter',
    'q /stage/$in/1 invalid_value [new contacted won lost]',
    'q /stage/$in/2 invalid_value [new contacted won lost]',
  ],
  ['{"stage":{"$in":[]}}', '422 invalid_filter', 'q /stage/$in wrong_type'],
  ['{"stage":{"$eq":["new"]}}', '422 invalid_filter', 'q /stage/$eq wrong_type'],
  ['{"stage":{}}', '422 invalid_filter', 'q /stage wrong_type'],
  ['{"stage":{"new":1}}', '422 invalid_filter', 'q /stage wrong_type'],
  ['{"author":{"handle":"x"}}', '422 invalid_filter', 'q /author wrong_type'],
  ['{"author":"x"}', '422 invalid_filter', 'q /author wrong_type'],
  ['{"author":[null]}', '422 invalid_filter', 'q /author wrong_type'],
  ['{"people":["x"]}', '422 invalid_filter', 'q /people wrong_type'],
  [
    '{"author":{"$gt":1}}',
    '422 operator_not_allowed',
    'q /author/$gt operator_not_allowed [$exists $not] ? $not',
  ],
  [
    '{"score":{"$gte1":1}}',
    '422 operator_not_allowed',
    'q /score/$gte1 operator_not_allowed [$eq $ne $in $nin $gt $gte $lt $lte $exists $not] ? $gte',
  ],
  ['{"score":"1"}', '422 invalid_filter', 'q /score invalid_value'],
  ['{"score":[1,"x",null]}', '422 invalid_filter', 'q /score/1 invalid_value'],
  ['{"tags":{"$all":["a",null]}}', '422 invalid_filter', 'q /tags/$all/1 invalid_value'],
  ['{"tags":{"$size":-1}}', '422 invalid_filter', 'q /tags/$size wrong_type'],
  ['{"tags":{"$size":1.5}}', '422 invalid_filter', 'q /tags/$size wrong_type'],
  ['{"tags":{"$size":"1"}}', '422 invalid_filter', 'q /tags/$size wrong_type'],
  ['{"rank":{"$exists":1}}', '422 invalid_filter', 'q /rank/$exists wrong_type'],
  ['{"rank":{"$not":1}}', '422 invalid_filter', 'q /rank/$not wrong_type'],
  ['{"rank":{"$not":{}}}', '422 invalid_filter', 'q /rank/$not wrong_type'],
  ['{"title":{"$contains":""}}', '422 invalid_filter', 'q /title/$contains wrong_type'],
  ['{"title":{"$contains":7}}', '422 invalid_filter', 'q /title/$contains wrong_type'],
  [
    '{"kind":{"$contains":"x"}}',
    '422 operator_not_allowed',
    'q /kind/$contains operator_not_allowed [$eq $ne $in $nin $gt $gte $lt $lte $exists $not]',
  ],
  ['{"is_open":"x"}', '422 invalid_filter', 'q /is_open invalid_value'],
  [
    '{"is_open":{"$gt":true}}',
    '422 operator_not_allowed',
    'q /is_open/$gt operator_not_allowed [$eq $ne $in $nin $exists $not] ? $eq',
  ],
  ['{"due":"2026-02-30"}', '422 invalid_filter', 'q /due invalid_value'],
  ['{"due":7}', '422 invalid_filter', 'q /due invalid_value'],
  ['{"seen_at":"2026"}', '422 invalid_filter', 'q /seen_at invalid_value'],
  ['{"seen_at":7}', '422 invalid_filter', 'q /seen_at invalid_value'],
  ['{"title":7}', '422 invalid_filter', 'q /title invalid_value'],
  ['{"title":"a\\u0000b"}', '422 invalid_filter', 'q /title invalid_value'],
  ['{"rank":1152921504606847000}', '422 invalid_filter', 'q /rank invalid_value'],
  ['{"a/b~c":1}', '422 invalid_filter', 'q /a~1b~0c unknown_field [*]'],
  [
    '{"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx":1}',
    '422 invalid_filter',
    'q /xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx unknown_field [*]',
  ],
  [
    '{"stage":{"$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx":1}}',
    '422 operator_not_allowed',
    'q /stage/$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx operator_not_allowed [$eq $ne $in $nin $gt $gte $lt $lte $exists $not]',
  ],
  [
    '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1}',
    '422 invalid_filter',
    'q /a unknown_field ? id',
    'q /b unknown_field ? id',
    'q /c unknown_field ? id',
    'q /d unknown_field ? id',
    'q /e unknown_field ? id',
    'q /f unknown_field ? id',
    'q /g unknown_field ? id',
    'q /h unknown_field ? id',
    'q /i unknown_field ? id',
    'q /j unknown_field ? id',
  ],
  [
    '{"stage":{"$regex":"x"},"$where":1}',
    '422 operator_not_allowed',
    'q /stage/$regex operator_not_allowed [$eq $ne $in $nin $gt $gte $lt $lte $exists $not]',
    'q /$where operator_not_allowed [$and $or $nor]',
  ],
  [
    '{"stage":{"$regex":"x"},"rank":"x"}',
    '422 invalid_filter',
    'q /stage/$regex operator_not_allowed [$eq $ne $in $nin $gt $gte $lt $lte $exists $not]',
    'q /rank invalid_value',
  ],
]

const parameters: readonly (readonly [string, ...string[]])[] = [
  [
    'limitt=3',
    '400 unknown_parameter',
    'limitt - unknown_parameter [q sort limit skip fields cursor count] ? limit',
  ],
  [
    'zzzzzzzzzzz=1',
    '400 unknown_parameter',
    'zzzzzzzzzzz - unknown_parameter [q sort limit skip fields cursor count]',
  ],
  ['limit=1&limit=2', '422 invalid_parameter', 'limit - duplicate'],
  [
    'sort=-scor',
    '422 invalid_parameter',
    'sort - not_sortable [created_date score rank stage title seen_at due is_open] ? score',
  ],
  [
    'sort=zzzzzzzzzz',
    '422 invalid_parameter',
    'sort - not_sortable [created_date score rank stage title seen_at due is_open]',
  ],
  ['sort=score,-score', '422 invalid_parameter', 'sort - duplicate'],
  ['sort=score,rank,stage,title', '422 invalid_parameter', 'sort - too_many'],
  ['sort=score,rank,score', '422 invalid_parameter', 'sort - duplicate'],
  ['limit=0', '422 invalid_parameter', 'limit - invalid'],
  ['skip=-1', '422 invalid_parameter', 'skip - invalid'],
  ['skip=100001', '422 invalid_parameter', 'skip - too_large'],
  ['skip=1&cursor=x', '422 invalid_parameter', 'skip - conflict'],
  [
    'fields=stagee',
    '422 invalid_parameter',
    'fields - unknown_field [id location_id stage kind score rank is_open is_archived seen_at removed_at due title tags numbers author people raw unique_key expires_at created_date updated_date] ? stage',
  ],
  [
    'fields=zzzzzzzzzzzz',
    '422 invalid_parameter',
    'fields - unknown_field [id location_id stage kind score rank is_open is_archived seen_at removed_at due title tags numbers author people raw unique_key expires_at created_date updated_date]',
  ],
  ['count=yes', '422 invalid_parameter', 'count - invalid [0 1]'],
  ['cursor=x', '422 invalid_parameter', 'cursor - invalid'],
]

describe('a refused list', () => {
  test('says for each fault of the filter where it is, what it is and what is accepted', () => {
    for (const [q, ...expected] of filters) expect([q, ...refusalOf({ q })]).toEqual([q, ...expected])
  })

  test('says it for the other parameters', () => {
    for (const [text, ...expected] of parameters)
      expect([text, ...refusalOf(text)]).toEqual([text, ...expected])
  })

  test('cuts long names', () => {
    const long = 'z'.repeat(300)
    for (const [params, shown] of [
      [{ [long]: '1' }, 'z'.repeat(80)],
      [{ sort: long }, `\`${'z'.repeat(80)}\``],
      [{ fields: long }, `\`${'z'.repeat(80)}\``],
      [{ q: JSON.stringify({ [long]: 1 }) }, `/${'z'.repeat(80)}`],
      [{ q: JSON.stringify({ [`$${long}`]: 1 }) }, `$${'z'.repeat(39)} `],
    ] as const) {
      const text = refused(params)
      expect(text).toContain(shown)
      expect(text).not.toContain(shown.replace('z', 'zz'))
    }
  })

  test('names its bounds', () => {
    expect(filterBounds).toEqual({
      bytes: 8192,
      depth: 5,
      leaves: 50,
      listValues: 200,
      searchCharacters: 128,
    })
    expect(listBounds).toEqual({ limitDefault: 100, limitMax: 1000, skipMax: 100_000, sortKeys: 3 })
    expect(filterOperators.join).toEqual(['$and', '$or', '$nor'])
    const compare = '$eq $ne $gt $gte $lt $lte $in $nin $exists $contains $startsWith $all $size $not'
    expect(filterOperators.compare.join(' ')).toBe(compare)
    expect(refused({ q: JSON.stringify({ title: 'x'.repeat(9000) }) })).toContain('8192')
    expect(refused({ q: `{"$and":${'[{"$and":'.repeat(5)}[{}]${'}]'.repeat(5)}}` })).toContain('5')
    expect(refused({ sort: 'score,rank,stage,title' })).toContain('3')
    expect(refused({ limit: '0' })).toContain('1000')
  })
})

const refused = (params: Record<string, string>) => {
  try {
    parseListQuery(Sample, new URLSearchParams(params))
  } catch (error) {
    if (isRefusal(error)) return error.message
  }
  throw new Error('it was not refused')
}

describe('the comparisons of a filter', () => {
  const rank = (count: number) => Array.from({ length: count }, () => ({ rank: 1 }))
  const codes = (q: unknown) => refusalOf({ q: JSON.stringify(q) })
  const tooMany = ['422 invalid_filter', 'q  too_many']

  test('are counted in all branches together; an empty filter counts as one, `$not` as none', () => {
    expect(codes({ $and: [{ $or: rank(25) }, { $or: rank(25) }] })).toEqual(['taken'])
    expect(codes({ $and: [{ $or: rank(25) }, { $or: rank(26) }] })).toEqual(tooMany)
    expect(codes({ $and: [{ $or: rank(25) }, { $or: [...rank(24), {}] }] })).toEqual(['taken'])
    expect(codes({ $and: [{ $or: rank(25) }, { $or: [...rank(25), {}] }] })).toEqual(tooMany)
    const not = Array.from({ length: 25 }, () => ({ rank: { $not: { $eq: 1 } } }))
    expect(codes({ $and: [{ $or: rank(25) }, { $or: not }] })).toEqual(['taken'])
    expect(codes({ $and: [{ $or: [...rank(25), { rank: 1 }] }, { $or: not }] })).toEqual(tooMany)
    expect(codes({ $and: [...rank(50), {}] })).toEqual(['422 invalid_filter', 'q /$and too_many'])
    expect(codes({ rank: { $gte: 1, $lte: 2 }, $or: rank(48) })).toEqual(['taken'])
    expect(codes({ rank: { $gte: 1, $lte: 2 }, $or: rank(49) })).toEqual(tooMany)
  })

  test('stand at most five objects deep, in lists and in operators', () => {
    const joined = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : { $or: [joined(levels - 1, inner)] }
    expect(codes(joined(4, { rank: 1 }))).toEqual(['taken'])
    expect(codes(joined(3, { rank: { $gt: 1 } }))).toEqual(['taken'])
    const place = '/$or/0'.repeat(4)
    expect(codes(joined(4, { rank: { $gt: 1 } }))).toEqual(['422 invalid_filter', `q ${place}/rank too_deep`])
    expect(codes({ score: 'x', ...(joined(5, { rank: 1 }) as object) })).toEqual([
      '422 invalid_filter',
      'q /score invalid_value',
      `q ${place}/$or/0 too_deep`,
    ])
    expect(codes(joined(5, { rank: 1 }))).toEqual(['422 invalid_filter', `q ${place}/$or/0 too_deep`])
    expect(codes(joined(2, { rank: { $not: { $gt: 1 } } }))).toEqual(['taken'])
    expect(codes(joined(3, { rank: { $not: { $gt: 1 } } }))).toEqual([
      '422 invalid_filter',
      `q ${'/$or/0'.repeat(3)}/rank/$not too_deep`,
    ])
  })

  test('at the bounds of bytes, values and characters', () => {
    const frame = JSON.stringify({ title: '' }).length
    const ofBytes = (bytes: number) => ({ title: 'é'.repeat((bytes - frame) / 2) })
    expect(codes(ofBytes(8192))).toEqual(['taken'])
    expect(codes(ofBytes(8194))).toEqual(['422 invalid_filter', 'q  too_long'])
    for (const key of ['$in', '$nin', '$all'])
      for (const [count, outcome] of [
        [1, 'taken'],
        [200, 'taken'],
        [201, '422 invalid_filter'],
      ] as const)
        expect([
          key,
          count,
          codes({ tags: { [key]: Array.from({ length: count }, String) } })[0] ?? '',
        ]).toEqual([key, count, outcome])
    expect(codes({ title: { $startsWith: '🎉'.repeat(128) } })).toEqual(['taken'])
    expect(codes({ title: { $startsWith: '🎉'.repeat(129) } })[0]).toBe('422 invalid_filter')
    expect(codes({ title: { $startsWith: 'x' } })).toEqual(['taken'])
  })

  test('with null: equality only, in lists, and on what takes no other value', () => {
    const { where } = parseFilter(Sample, '{"rank":[1,null],"kind":{"$nin":[null]},"author":{"$ne":null}}')
    expect(where).toEqual({
      op: 'and',
      of: [
        { op: 'in', field: 'rank', values: [1, null] },
        { op: 'nin', field: 'kind', values: [null] },
        { op: 'ne', field: 'author', value: null },
      ],
    })
    for (const key of ['$gt', '$gte', '$lt', '$lte'])
      expect(codes({ rank: { [key]: null } })[0]).toBe('422 invalid_filter')
  })

  test('name fields by their root', () => {
    const { named } = parseFilter(Sample, '{"$or":[{"author.handle":"x"},{"rank":{"$not":{"$gt":1}}}]}')
    expect([...named]).toEqual(['author', 'rank'])
  })
})

test('nobody names a parameter of another address', () => {
  expect(() => checkNames(new URLSearchParams('a=1&b=2'), ['a', 'b'])).not.toThrow()
  expect(() => checkNames(new URLSearchParams('a=1&c=2'), ['a', 'b'])).toThrow('`c`')
  expect(() => checkNames(new URLSearchParams('a=1&a=1'), ['a', 'b'])).toThrow('`a`')
})

test('a list leaves out what the entity leaves out, unless the filter names the field', () => {
  const entity = {
    ...Sample,
    except: { stage: 'lost', is_archived: true },
    exceptSet: ['removed_at', 'due'],
  } as AnyEntity
  const where = { op: 'eq', field: 'rank', value: 1 } as const
  const removed = { op: 'eq', field: 'removed_at', value: null } as const
  const due = { op: 'eq', field: 'due', value: null } as const
  const archived = { op: 'ne', field: 'is_archived', value: true } as const
  expect(withDefaults(entity, where, new Set(['stage', 'due']))).toEqual({
    op: 'and',
    of: [where, archived, removed, due],
  })
  expect(withDefaults({ ...Sample, except: {}, exceptSet: [] } as AnyEntity, where, new Set())).toEqual(where)
  expect(withDefaults({ ...Sample, except: {}, exceptSet: [] } as AnyEntity, null, new Set())).toEqual({
    op: 'and',
    of: [],
  })
})

test('nobody sorts by a field that is hidden, whatever the entity declares', () => {
  const entity = { ...Sample, sortable: ['secret', 'score'] } as AnyEntity
  const sorted = (sort: string) => parseListQuery(entity, new URLSearchParams({ sort })).sort
  expect(sorted('-score')).toEqual([{ field: 'score', direction: 'desc' }])
  expect(() => sorted('secret')).toThrow('sort')
})

test('a refusal names the place of its first fault', () => {
  const message = (q: string) => {
    try {
      parseListQuery(Sample, new URLSearchParams({ q }))
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(message(`{"$and":[${'{"rank":1},'.repeat(2_000)}{"rank":1}]}`)).toStartWith(
    'The filter is invalid at `q`: longer than',
  )
  expect(message('{"score":{"$gte":"x"},"nope":1}')).toStartWith('The filter is invalid at `/score/$gte`: ')
})

test('a filter may name every visible field and the entries of its objects', () => {
  expect(filterablePaths(Sample)).toEqual(
    'id location_id stage kind score rank is_open is_archived seen_at removed_at due title tags numbers author author.handle author.followers author.at people unique_key expires_at created_date updated_date'.split(
      ' ',
    ),
  )
})
