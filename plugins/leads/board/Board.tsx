/** @jsxImportSource renown/web */
import {
  formatNumber,
  Notice,
  openPage,
  type PageEvent,
  type PageProps,
  sendForm,
  useEffect,
  useState,
} from 'renown/web'
import { type Stage, stageNames, stages } from '../records/stage-names'
import { boardAddress, boardPath, boardSearch } from './board-filters'
import { LeadCard } from './lead-card'
import { MoveMenu, movesWords } from './lead-moves'
import type { Column } from './list-leads'
import type { BoardData } from './load-board'
import type { ShownCard } from './shown-card'

/** Cards that a column shows on a phone. */
const phoneMax = 5
const lostConnection = 'The connection was lost, or the server did not answer in time.'

/** What the columns need to move cards. */
interface Mover {
  /** The card that is dragged. */
  readonly held: ShownCard | null
  readonly over: Stage | null
  /** The card whose move was sent. */
  readonly moving: string | null
  hold(card: ShownCard | null): void
  hover(stage: Stage | null): void
  move(card: ShownCard, to: Stage): void
  /** Moves a card to the next stage that it may move to. */
  step(card: ShownCard, direction: 1 | -1): void
}

/** The columns of the board. Cards move by drag, by arrow keys, and by their menu, which needs no script. */
export function Board(props: PageProps<BoardData>) {
  const { data, outcome } = props
  const [isLive, setLive] = useState(false)
  useEffect(() => setLive(true), [])
  const { mover, fault } = useMover(props)
  const refused = fault ?? (outcome?.ok === false ? (outcome.fault ?? null) : null)
  const isMove = fault !== null || outcome?.action === 'move'
  return (
    <>
      {refused !== null && (
        <Notice tone="bad" title={`The lead was not ${isMove ? 'moved' : 'changed'}`}>
          {refused}
        </Notice>
      )}
      <p class="unseen" role="status">
        {mover.moving === null ? '' : 'Moving the lead…'}
      </p>
      <div class={mover.held ? 'board dragging' : 'board'}>
        {data.columns.map((column) => (
          <BoardColumn key={column.stage} {...props} of={column} mover={mover} />
        ))}
      </div>
      {isLive && (
        <p class="hint board-hint">
          Drag a card to another column, or select it and press <kbd>←</kbd> or <kbd>→</kbd>.
        </p>
      )}
    </>
  )
}

function useMover({ data, csrf }: PageProps<BoardData>): { mover: Mover; fault: string | null } {
  const [held, hold] = useState<ShownCard | null>(null)
  const [over, hover] = useState<Stage | null>(null)
  const [moving, setMoving] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const move = async (card: ShownCard, to: Stage) => {
    const open = data.moves[card.stage]
    if (moving !== null || to === card.stage) return
    if (!open.includes(to)) return setFault(movesWords(card.stage, open, to))
    if (to === 'lost') return openPage(leadAddress(data, card.id, 'lost'))
    setFault(null)
    setMoving(card.id)
    const fields = { lead: card.id, stage: to, was: card.stage, search: boardSearch(data.asked) }
    const answer = await sendForm(`${boardPath}/move`, csrf, fields).catch(() => null)
    if (answer?.ok && answer.to) return openPage(answer.to)
    setMoving(null)
    setFault(answer?.fault ?? lostConnection)
  }
  const step = (card: ShownCard, direction: 1 | -1) => {
    const open = data.moves[card.stage]
    const from = stages.indexOf(card.stage)
    const onWay = direction === 1 ? stages.slice(from + 1) : stages.slice(0, from).reverse()
    const to = onWay.find((stage) => open.includes(stage))
    if (to) move(card, to)
    else setFault(movesWords(card.stage, open))
  }
  return { mover: { held, over, moving, hold, hover, move, step }, fault }
}

const leadAddress = ({ asked }: BoardData, id: string, part = '') =>
  `${boardAddress(boardSearch(asked, { lead: id }))}${part === '' ? '' : `#${part}`}`

type ColumnProps = PageProps<BoardData> & { readonly of: Column; readonly mover: Mover }

function BoardColumn(props: ColumnProps) {
  const { data, of: column, mover } = props
  const { stage, total, cards } = column
  const { held } = mover
  const isOpen = held !== null && data.moves[held.stage].includes(stage)
  const state = isOpen ? (mover.over === stage ? ' open over' : ' open') : ''
  const over = (event: PageEvent) => {
    if (held === null) return
    // A closed column accepts the drop too, to say why the lead does not move.
    event.preventDefault()
    if (mover.over !== stage) mover.hover(stage)
  }
  const drop = (event: PageEvent) => {
    event.preventDefault()
    mover.hold(null)
    mover.hover(null)
    if (held) mover.move(held, stage)
  }
  return (
    <section class={`column${state}`} aria-labelledby={`stage-${stage}`} onDragOver={over} onDrop={drop}>
      <h2 id={`stage-${stage}`}>
        {stageNames[stage]} <span class="much">{formatNumber(total)}</span>
      </h2>
      {cards.length === 0 ? (
        <p class="hint">No leads</p>
      ) : (
        <ul class="cards">
          {cards.map((card) => (
            <BoardCard key={card.id} {...props} of={card} />
          ))}
        </ul>
      )}
      {total > phoneMax && (
        <a
          class={total > cards.length ? 'more-cards' : 'more-cards narrow'}
          href={boardAddress(boardSearch(data.asked, { stage }))}
        >
          {`Show all ${formatNumber(total)}`}
        </a>
      )}
    </section>
  )
}

const arrows: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowLeft: -1 }

function BoardCard({
  data,
  csrf,
  mover,
  of: card,
}: PageProps<BoardData> & { readonly of: ShownCard; readonly mover: Mover }) {
  const press = (event: PageEvent) => {
    const direction = arrows[event.key]
    if (!direction || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    mover.step(card, direction)
  }
  const drag = (event: PageEvent) => {
    // Firefox starts no drag without data.
    event.dataTransfer?.setData('text/plain', card.id)
    mover.hold(card)
  }
  const end = () => {
    mover.hold(null)
    mover.hover(null)
  }
  return (
    <li
      class={mover.moving === card.id ? 'lead-card moving' : 'lead-card'}
      draggable="true"
      onDragStart={drag}
      onDragEnd={end}
      onKeyDown={press}
      data-keys=""
    >
      <a href={leadAddress(data, card.id)} draggable="false" autofocus={data.moved?.lead === card.id}>
        <LeadCard of={card} />
      </a>
      <MoveMenu data={data} csrf={csrf} of={card} />
    </li>
  )
}
