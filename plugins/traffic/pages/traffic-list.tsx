/** @jsxImportSource renown/web */
import { Card, type Children, formatNumber, type PageProps } from 'renown/web'
import { type ListPart, shortMax } from '../sums/list-part'
import { type ListName, searchOf, valuesOf } from '../sums/traffic-filters'
import type { TrafficData } from './traffic-data'

/** The common props of lists. */
export interface ListFrame extends Pick<PageProps<TrafficData>, 'data' | 'path'> {
  readonly list: ListName
  readonly title: string
  readonly about: string
  /** The lines of the list. Null if it does not support the filter. */
  readonly part: unknown
  /** The text that replaces the list if `part` is null. */
  readonly without: string
}

interface ListCardProps<Line> extends ListFrame {
  readonly part: ListPart<Line> | null
  readonly empty: string
  /** Renders the lines. `greatest` is the largest value among them, for the bars. */
  children(lines: readonly Line[], greatest: (of: (line: Line) => number) => number): Children
}

/** Shows a list: its first rows with a link to all, or all rows with a search, and a download. */
export function ListCard<Line>(props: ListCardProps<Line>) {
  const { data, list, title, about, part, without, empty } = props
  const { asked } = data
  const isAll = asked.list === list
  return (
    <Card title={title} about={part === null ? undefined : about} id={list}>
      {isAll && part !== null && <Search {...props} />}
      {part === null ? (
        <p class="empty">{without}</p>
      ) : part.lines.length === 0 ? (
        <p class="empty">{part.total > 0 ? 'No row has this text.' : empty}</p>
      ) : (
        props.children(part.lines, (of) => Math.max(...part.lines.map(of)))
      )}
      {part !== null && part.total > 0 && (
        <div class="row apart list-foot">
          {isAll ? <Parts {...props} part={part} /> : <All {...props} part={part} />}
          <span class="row">
            {['csv', 'xlsx'].map((ending) => (
              <a
                key={ending}
                href={`/app/data/traffic.${ending}?${searchOf(asked, { list, ...(isAll ? {} : { find: null }) })}`}
                download
              >
                {ending === 'csv' ? 'CSV' : 'Excel'}
                <span class="unseen"> of {title}</span>
              </a>
            ))}
          </span>
        </div>
      )}
    </Card>
  )
}

type Shown<Line> = ListCardProps<Line> & { readonly part: ListPart<Line> }

function All<Line>({ data, list, part, title }: Shown<Line>) {
  if (part.total <= shortMax) return <span />
  return (
    <a href={`?${searchOf(data.asked, { list, find: null })}`}>
      All {formatNumber(part.total)}
      <span class="unseen">: {title}</span>
    </a>
  )
}

function Search<Line>({ data: { asked }, path, title }: ListCardProps<Line>) {
  return (
    <form method="get" action={path} class="filters" aria-label={`Search ${title}`}>
      {Object.entries(valuesOf(asked, { find: null })).map(
        ([name, value]) => value !== null && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <div class="field long">
        <label for="find">Search</label>
        <input id="find" name="find" type="search" defaultValue={asked.find ?? ''} autocomplete="off" />
      </div>
      <button type="submit" class="button plain">
        Search
      </button>
    </form>
  )
}

function Parts<Line>({ data: { asked }, part }: Shown<Line>) {
  const { found, total, part: at, parts } = part
  const to = (at: number) => `?${searchOf(asked, { at })}`
  return (
    <nav class="row" aria-label="Parts of the list">
      <span class="hint">
        {found === total ? formatNumber(total) : `${formatNumber(found)} of ${formatNumber(total)}`}
        {total === 1 ? ' row' : ' rows'}
        {parts > 1 && `, part ${at} of ${parts}`}
      </span>
      {at > 1 && <a href={to(at - 1)}>Previous</a>}
      {at < parts && <a href={to(at + 1)}>Next</a>}
      {asked.find !== null && <a href={`?${searchOf(asked, { find: null })}`}>Show all rows</a>}
    </nav>
  )
}
