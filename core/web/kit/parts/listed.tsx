/** @jsxImportSource ../jsx */
import type { ShownFilter, ShownList } from '../../../contracts/list'
import type { PageProps } from '../browser/page-props'
import type { Children } from '../jsx/jsx-runtime'
import { Downloads } from './downloads'
import { Empty } from './empty'
import { type Filter, Filters } from './filters'
import { IgnoredValues } from './ignored-values'
import { KeyHints, type KeyHintsProps } from './key-hints'
import { Button, ButtonLink, Card, Field, Moment, Notice, Row } from './kit'
import { Cell } from './list-cell'
import { ListDetail } from './list-detail'
import { ChosenSaid, Several } from './several'
import { Table } from './table'

interface ListedProps<Line, Shown> {
  readonly of: ShownList<Line, Shown>
  /** The props of the page. Required for a list with `several`. */
  readonly page?: Pick<PageProps<unknown>, 'path' | 'csrf' | 'outcome' | 'shortcuts'>
  /** The content of a row. Without it, the list is a table. */
  line?(line: Line): Children
  /** The row next to the list. */
  detail?(shown: Shown): Children
  /** How the first row comes. Shown instead of a list that never had any. */
  readonly start?: Children
  /** Shown instead of rows, if they have a picture of their own, such as a calendar. */
  readonly picture?: Children
  /** Keys of the row next to the list, and what they do. */
  readonly keys?: KeyHintsProps['keys']
}

/** Returns the address of a list with some values of its query changed. An empty one is left out. */
export function listAddress(
  { path, search }: Pick<ShownList, 'path' | 'search'>,
  changes: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** Keys of every list that have names. */
export const namedKeys = { open: 'Enter', back: 'Esc' } as const

const ownKeys = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  [namedKeys.open, 'Open the row'],
  [namedKeys.back, 'Back to the list'],
] as const

/** A declared list: its filters, its rows, the links to its other pages, its files, and the row next to it. */
export function Listed<Line, Shown>(props: ListedProps<Line, Shown>) {
  const { of: list, page, line, start, picture } = props
  const isBegun = list.hasAny || list.beside?.shown != null || start === undefined
  return (
    <>
      <IgnoredValues of={list.ignored} />
      {page && <ChosenSaid {...page} />}
      {!isBegun ? (
        start
      ) : picture !== undefined ? (
        <div class="stack">
          <Choosing list={list} />
          {picture}
          {page?.shortcuts && <KeyHints keys={keysOf(props)} />}
          {page && list.acts.length > 0 && <Several of={list} page={page} />}
        </div>
      ) : line ? (
        <div class="stack">
          <div class="stack above-list">
            <Choosing list={list} />
          </div>
          <Lines {...props} line={line} />
          {page?.shortcuts && <KeyHints keys={keysOf(props)} />}
        </div>
      ) : (
        <>
          <Choosing list={list} />
          <Card title={list.title}>
            <Find of={list} />
            <Rows of={list} />
            <Counted of={list} />
            <Turns of={list} isButton />
            {list.lines.length > 0 && <Files of={list} />}
          </Card>
          {page?.shortcuts && <KeyHints keys={keysOf(props)} />}
        </>
      )}
    </>
  )
}

const keysOf = <Line, Shown>({ of: { acts }, keys = [] }: ListedProps<Line, Shown>) => [
  ...ownKeys,
  ...(acts.length > 0 ? [['c', 'Choose the row, to act on several at once'] as const] : []),
  ...keys,
]

interface ListProps {
  readonly of: ShownList
}

const Files = ({ of: { path, query, rows } }: ListProps) => (
  <Downloads of={path.slice('/app/'.length)} query={query} label={`all ${rows} of this list`} />
)

function Lines<Line, Shown>({
  of: list,
  page,
  line,
  detail,
}: ListedProps<Line, Shown> & { line(line: Line): Children }) {
  const { beside, lines, empty, searched } = list
  const shown = beside?.shown != null && detail ? detail(beside.shown) : undefined
  const hasActs = list.acts.length > 0 && page !== undefined
  return (
    <>
      {beside && beside.id !== '' && beside.shown === null && (
        <Notice title={`There is no such ${beside.noun} in this workspace`}>It may have been deleted.</Notice>
      )}
      {lines.length === 0 &&
        (searched ? (
          <Older of={list} />
        ) : (
          <Empty text={empty.text} action={empty.link && <a href={empty.link.href}>{empty.link.words}</a>} />
        ))}
      {lines.length === 0 && shown}
      <ListDetail
        label={capital(list.rows)}
        rows={lines.map(({ id, href, line: own, item }) => ({
          id,
          href: href ?? '',
          children: line(own),
          ...(hasActs && { item }),
        }))}
        selectedId={beside?.shown != null ? beside.id : null}
        backHref={beside?.back ?? list.path}
        detail={shown}
        hasDetail={beside !== null}
        foot={
          <>
            {hasActs && <Several of={list} page={page} />}
            <ListFoot of={list} />
          </>
        }
      />
    </>
  )
}

/** The links to other pages of a list, and its files. */
export const ListFoot = ({ of: list }: ListProps) => (
  <div class="row">
    <Turns of={list} />
    {list.searched && <Older of={list} />}
    <Files of={list} />
  </div>
)

const Older = ({ of: { searched, rows } }: ListProps) =>
  searched && (
    <p>
      Searched back to <Moment at={searched.since} />. <a href={searched.href}>Search all {rows}</a>
    </p>
  )

/** More choices than these are buttons, which begin a new line where the screen ends. */
const tabsMax = 4

type Shown<Kind> = Extract<ShownFilter, { readonly kind: Kind }>

/** The views of a list, and its other filters if people choose among them. */
function Choosing({ list }: { readonly list: ShownList }) {
  return (
    <>
      {list.filters.map(
        (filter) => filter.kind === 'views' && <Views key={filter.name} list={list} of={filter} />,
      )}
      {hasChoices(list) && <Choices of={list} />}
    </>
  )
}

const hasChoices = ({ filters }: ShownList) => filters.some(({ kind }) => kind === 'choice' || kind === 'day')

/** Which rows of how many the page shows, if the list counts them. */
const Counted = ({ of: { counted, total } }: ListProps) =>
  counted && <p class="hint">{`${counted.first} to ${counted.last} of ${total}`}</p>

/** Another view begins at its first page, without a text to find. */
function Views({
  list: { path, query, filters },
  of: { name, label, value, options },
}: {
  readonly list: ShownList
  readonly of: Shown<'views'>
}) {
  const hrefOf = (each: string) => {
    const other = new URLSearchParams(query)
    for (const filter of filters) if (filter.kind === 'find') other.delete(filter.name)
    if (each === '') other.delete(name)
    else other.set(name, each)
    return other.size === 0 ? path : `${path}?${other}`
  }
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

/** The values that the form of the filters sends along: those without a field in it. */
function keptOf({ filters, asked }: ShownList): Readonly<Record<string, string>> {
  const fields = new Set(filters.flatMap(({ kind, name }) => (kind === 'views' ? [] : [name])))
  return Object.fromEntries(
    Object.entries(asked).filter(([name, value]) => value !== '' && !fields.has(name)),
  )
}

/** A text to find comes first, then the choices. Folded ones open once they are used. */
function Choices({ of: list }: ListProps) {
  const finds = list.filters.flatMap((filter) =>
    filter.kind === 'find' ? [{ ...filter, isSearch: true }] : [],
  )
  const choices = list.filters.flatMap((filter): readonly (Filter & { readonly isFolded?: true })[] =>
    filter.kind === 'choice' ? [filter] : filter.kind === 'day' ? [{ ...filter, isDay: true }] : [],
  )
  return (
    <Filters
      action={list.path}
      label={`Filter ${list.rows}`}
      keep={keptOf(list)}
      filters={[...finds, ...choices.filter(({ isFolded }) => !isFolded)]}
      more={choices.filter(({ isFolded }) => isFolded)}
    />
  )
}

/** A list that fits on its page needs no search. */
function Find({ of: list }: ListProps) {
  const { path, filters, rows, turns } = list
  const finds = filters.filter((filter): filter is Shown<'find'> => filter.kind === 'find')
  if (finds.length === 0 || hasChoices(list)) return null
  if (turns.length === 0 && finds.every(({ value }) => value === '')) return null
  return (
    <form method="get" action={path} aria-label={`Find ${rows}`}>
      {Object.entries(keptOf(list)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {finds.map(({ name, label, value }) => (
        <Field key={name} name={name} label={label} type="search" value={value} autocomplete="off" optional />
      ))}
      <Row>
        <Button kind="plain">Find</Button>
      </Row>
    </form>
  )
}

const capital = (words: string) => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`

function Rows({ of: { rows, filters, headings, lines, empty } }: ListProps) {
  const view = filters.find((filter): filter is Shown<'views'> => filter.kind === 'views')
  const words = view?.options.find(([value]) => value === view.value)?.[1]
  return (
    <Table
      label={words ?? capital(rows)}
      isList
      columns={headings.map(({ label, href, sorted }) =>
        href === null ? label : { name: label, href, sorted },
      )}
      numeric={headings.flatMap(({ label, isNumber }) => (isNumber ? [label] : []))}
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
      empty={
        <>
          {empty.text} {empty.link && <a href={empty.link.href}>{empty.link.words}</a>}
        </>
      }
    />
  )
}

function Turns({ of: { turns, rows }, isButton }: ListProps & { readonly isButton?: boolean }) {
  if (turns.length === 0) return null
  return (
    <nav aria-label={`Pages of ${rows}`}>
      <Row align={isButton ? 'apart' : undefined}>
        {isButton && turns.length === 1 && <span />}
        {turns.map(({ href, words }) =>
          isButton ? (
            <ButtonLink key={words} href={href}>
              {words}
            </ButtonLink>
          ) : (
            <a key={words} href={href}>
              {words}
            </a>
          ),
        )}
      </Row>
    </nav>
  )
}
