/** @jsxImportSource ../jsx */
import type { ListCell, ListMoment, ListPart } from '../../../contracts/list'
import type { Children, JSX } from '../jsx/jsx-runtime'
import { Badge, Moment } from './kit'
import { StateWord } from './state-word'

/** The content of a cell. */
export function Cell({ of: cell }: { readonly of: ListCell }): JSX.Element {
  if (cell === null) return <>–</>
  if (typeof cell === 'number') return <>{cell}</>
  return <>{(isList(cell) ? cell : [cell]).map((part, place) => partOf(part, place))}</>
}

const changeSides = { good: 'up', bad: 'down', plain: '' } as const

const isList = (cell: ListCell): cell is readonly ListPart[] => Array.isArray(cell)

function partOf(part: ListPart, place: number): Children {
  if (typeof part === 'string') return part
  if ('at' in part) return <Moment key={place} at={part.at} />
  if ('name' in part) return <bdi key={place}>{part.name}</bdi>
  if ('link' in part)
    return (
      <a key={place} href={part.link}>
        {part.words}
        {part.about !== undefined && <span class="unseen"> {part.about}</span>}
      </a>
    )
  if ('change' in part)
    return (
      <span key={place} class={`change ${changeSides[part.tone]}`}>
        {' '}
        {part.change}
      </span>
    )
  if ('state' in part)
    return (
      <StateWord key={place} tone={part.tone}>
        {part.state}
      </StateWord>
    )
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
