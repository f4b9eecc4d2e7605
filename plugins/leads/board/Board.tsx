/** @jsxImportSource renown/web */
import type { SeveralDone, ShownLine } from 'renown/pages'
import { Choose, formatNumber, isOfSeveral, ListFoot, listAddress, Notice, type PageProps } from 'renown/web'
import { type Stage, stageNames, stages } from '../records/stage-names'
import { LeadCard } from './lead-card'
import type { BoardData, BoardOwn } from './load-board'
import type { ShownCard } from './shown-card'

type BoardProps = PageProps<BoardData> & { readonly totals: NonNullable<BoardOwn['totals']> }

/**
 * The columns of the board. A script moves cards by drag and by arrow keys, with the acts for chosen leads. Without a script, people tick
 * the box of a card.
 */
export function Board({ data, outcome, totals }: BoardProps) {
  const { list, moves } = data
  const isRefused = outcome?.ok === false && !isOfSeveral(outcome)
  const moved = movedCard(outcome)
  return (
    <>
      {isRefused && (
        <Notice tone="bad" title={`The lead was not ${outcome.action === 'move' ? 'moved' : 'changed'}`}>
          {outcome.fault}
        </Notice>
      )}
      <div class="board">
        {stages.map((stage) => (
          <Column
            key={stage}
            stage={stage}
            total={totals[stage]}
            moves={moves[stage]}
            moved={moved}
            cards={list.lines.filter(({ line }) => line.stage === stage)}
            of={list}
          />
        ))}
      </div>
      <p class="hint board-hint" data-scripted="" hidden>
        Drag a card to another column, or select it and press <kbd>←</kbd> or <kbd>→</kbd>.
      </p>
      <ListFoot of={list} />
    </>
  )
}

/** Returns the id of the card that was moved alone, to which the focus goes back. */
function movedCard(outcome: PageProps<BoardData>['outcome']): string | null {
  if (!outcome?.ok || !isOfSeveral(outcome)) return null
  const [first, ...others] = (outcome.shown as SeveralDone).undo?.items ?? []
  return first === undefined || others.length > 0 ? null : (first.split('~', 1)[0] ?? null)
}

interface ColumnProps {
  readonly stage: Stage
  /** Number of all leads of the stage with these filters. */
  readonly total: number
  /** The stages that its leads may move to. */
  readonly moves: readonly Stage[]
  readonly moved: string | null
  readonly cards: readonly ShownLine<ShownCard>[]
  readonly of: BoardData['list']
}

function Column({ stage, total, moves, moved, cards, of: list }: ColumnProps) {
  return (
    <section
      class="column"
      aria-labelledby={`stage-${stage}`}
      data-column={stage}
      data-to={moves.join(' ')}
      data-opens={stage === 'lost' ? 'lost' : undefined}
    >
      <h2 id={`stage-${stage}`}>
        {stageNames[stage]} <span class="much">{formatNumber(total)}</span>
      </h2>
      {cards.length === 0 ? (
        <p class="hint">No leads</p>
      ) : (
        <ul class="cards" data-list="">
          {cards.map((card) => (
            <BoardCard key={card.id} of={card} canChoose={list.acts.length > 0} isMoved={card.id === moved} />
          ))}
        </ul>
      )}
      {total > cards.length && (
        <a class="more-cards" href={listAddress(list, { stage })}>
          {`Show all ${formatNumber(total)}`}
        </a>
      )}
    </section>
  )
}

interface CardProps {
  readonly of: ShownLine<ShownCard>
  readonly canChoose: boolean
  readonly isMoved: boolean
}

const BoardCard = ({ of: { id, href, item, line }, canChoose, isMoved }: CardProps) => (
  <li class={canChoose ? 'lead-card choosable' : 'lead-card'} draggable="true" data-card="">
    {canChoose && <Choose item={item} describedBy={`row-${id}`} />}
    <a id={`row-${id}`} href={href ?? ''} draggable="false" autofocus={isMoved}>
      <LeadCard of={line} />
    </a>
  </li>
)
