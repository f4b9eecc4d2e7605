/** @jsxImportSource ../jsx */
import type { ListCell, ListMoment, ListPart, ShownList } from '../../../contracts/list'
import type { Children, JSX } from '../jsx/jsx-runtime'
import { Downloads } from './downloads'
import { Badge, Button, ButtonLink, Card, Field, Moment, Row } from './kit'
import { Table } from './table'

interface ListProps {
  readonly of: ShownList
}

/** A declared list: its filters, its table, the links to its other pages, and its files. */
export function Listed({ of: list }: ListProps) {
  return (
    <>
      {list.filters.map(
        (filter) => filter.kind === 'views' && <Views key={filter.name} list={list} of={filter} />,
      )}
      <Card title={list.title}>
        <Find of={list} />
        <Lines of={list} />
        <Turning of={list} />
        {list.lines.length > 0 && (
          <Downloads
            of={list.path.slice('/app/'.length)}
            query={addressOf(list, { at: 1 }).split('?')[1] ?? ''}
            label={`all ${list.rows} of this list`}
          />
        )}
      </Card>
    </>
  )
}

interface Changed {
  readonly at?: number
  readonly values?: Readonly<Record<string, string>>
}

/** The address of the list with other values of its filters, or of another page. */
function addressOf(
  { path, filters, at: current }: ShownList,
  { at = current, values = {} }: Changed,
): string {
  const all = filters.map(({ name, value }): [string, string] => [name, values[name] ?? value])
  const query = new URLSearchParams(all.filter(([, value]) => value !== ''))
  if (at > 1) query.set('at', String(at))
  return query.size === 0 ? path : `${path}?${query}`
}

type Shown<Kind> = Extract<ShownList['filters'][number], { readonly kind: Kind }>

/** More choices than these are buttons, which begin a new line where the screen ends. */
const tabsMax = 4

/** Another view begins at its first page, without a text to find. */
function Views({
  list,
  of: { name, label, value, options },
}: {
  readonly list: ShownList
  readonly of: Shown<'views'>
}) {
  const finds = list.filters.filter(({ kind }) => kind === 'find').map(({ name }) => [name, ''])
  const hrefOf = (each: string) =>
    addressOf(list, { at: 1, values: { ...Object.fromEntries(finds), [name]: each } })
  if (options.length > tabsMax)
    return (
      <nav aria-label={label}>
        <Row>
          {options.map(([each, words]) => (
            <a
              key={each}
              href={hrefOf(each)}
              class={`button ${each === value ? 'primary' : 'plain'}`}
              aria-current={each === value ? 'true' : undefined}
            >
              {words}
            </a>
          ))}
        </Row>
      </nav>
    )
  return (
    <nav class="views" aria-label={label}>
      <ul>
        {options.map(([each, words]) => (
          <li key={each}>
            <a href={hrefOf(each)} aria-current={each === value ? 'page' : undefined}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A list that fits on its page needs no search. */
function Find({ of: { path, filters, rows, at, hasMore } }: ListProps) {
  const finds = filters.filter((filter): filter is Shown<'find'> => filter.kind === 'find')
  if (finds.length === 0 || (!hasMore && at === 1 && finds.every(({ value }) => value === ''))) return null
  return (
    <form method="get" action={path} aria-label={`Find ${rows}`}>
      {filters.map(
        ({ kind, name, value }) =>
          kind === 'views' && value !== '' && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {finds.map(({ name, label, value }) => (
        <Field key={name} name={name} label={label} type="search" value={value} autocomplete="off" optional />
      ))}
      <Row>
        <Button kind="plain">Find</Button>
      </Row>
    </form>
  )
}

function Lines({ of: { rows, filters, headings, lines, empty } }: ListProps) {
  const view = filters.find((filter): filter is Shown<'views'> => filter.kind === 'views')
  const words = view?.options.find(([value]) => value === view.value)?.[1]
  return (
    <Table
      label={words ?? `${rows.slice(0, 1).toUpperCase()}${rows.slice(1)}`}
      columns={headings}
      rows={lines.map(({ href, cells }) =>
        cells.map((cell, column) =>
          column === 0 && href !== null ? (
            <a key="detail" href={href}>
              <Cell of={cell} />
            </a>
          ) : typeof cell === 'string' || typeof cell === 'number' ? (
            cell
          ) : cell === null ? (
            '–'
          ) : (
            <Cell key={column} of={cell} />
          ),
        ),
      )}
      empty={empty}
    />
  )
}

function Turning({ of: list }: ListProps) {
  const { at, hasMore, rows, turns } = list
  if (at === 1 && !hasMore) return null
  return (
    <nav aria-label={`Pages of ${rows}`}>
      <Row align="apart">
        {at > 1 ? <ButtonLink href={addressOf(list, { at: at - 1 })}>{turns[0]}</ButtonLink> : <span />}
        {hasMore && <ButtonLink href={addressOf(list, { at: at + 1 })}>{turns[1]}</ButtonLink>}
      </Row>
    </nav>
  )
}

/** The content of a cell. */
export function Cell({ of: cell }: { readonly of: ListCell }): JSX.Element {
  if (cell === null) return <>–</>
  if (typeof cell === 'number') return <>{cell}</>
  return <>{(isList(cell) ? cell : [cell]).map((part, place) => partOf(part, place))}</>
}

const isList = (cell: ListCell): cell is readonly ListPart[] => Array.isArray(cell)

function partOf(part: ListPart, place: number): Children {
  if (typeof part === 'string') return part
  if ('at' in part) return <Moment key={place} at={part.at} />
  if ('name' in part) return <bdi key={place}>{part.name}</bdi>
  if ('quiet' in part)
    return (
      <span key={place} class="hint">
        {part.quiet}
      </span>
    )
  if ('capped' in part)
    return (
      <bdi key={place} class="capped">
        {part.capped}
      </bdi>
    )
  const { badge, tone } = part
  return (
    <Badge key={place} tone={tone}>
      {typeof badge === 'string' ? badge : <span>{badge.map(insideBadge)}</span>}
    </Badge>
  )
}

const insideBadge = (part: string | ListMoment, place: number): Children =>
  typeof part === 'string' ? part : <Moment key={place} at={part.at} still isDay={part.isDay} />
