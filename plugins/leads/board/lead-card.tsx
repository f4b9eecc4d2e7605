/** @jsxImportSource renown/web */
import { formatCount, Moment, StateWord } from 'renown/web'
import { stageNames } from '../records/stage-names'
import type { ShownCard } from './shown-card'

interface LeadCardProps {
  readonly of: ShownCard
  /** Set for a row of a list, which is wider than a card. */
  readonly isLine?: boolean
  readonly isStageShown?: boolean
}

/** A lead in short: who, what they wrote, why it is a lead, and what is next. */
export function LeadCard({ of: card, isLine, isStageShown }: LeadCardProps) {
  return (
    <>
      <span class={card.is_seen ? 'lead-top' : 'lead-top unread'}>
        <bdi class="who">{card.who ?? 'Unknown author'}</bdi>
        {!card.is_seen && <span class="unseen">not seen</span>}
        {isStageShown && <StateWord>{stageNames[card.stage]}</StateWord>}
        <span class="when">
          <Moment at={card.created_at} before="Found " still />
        </span>
      </span>
      {card.missing === null || card.quote !== '' ? (
        <span class="lead-quote" dir="auto" lang={card.lang ?? undefined}>
          {card.quote}
        </span>
      ) : (
        <span class="lead-quote silent">{card.missing}</span>
      )}
      {card.reason !== null && (
        <span class="lead-why" dir="auto">
          {card.reason}
        </span>
      )}
      <span class="lead-foot">
        <span class="source-mark">
          {card.channel}
          {!card.may_reply && ' · no replies'}
        </span>
        <span class="points" title="Intent score, from 0 to 100">
          <span class="unseen">Intent </span>
          {card.score}
        </span>
        {card.stale_days !== null && (
          <StateWord icon="clock">{`Old post: ${formatCount(card.stale_days, 'day')} when found`}</StateWord>
        )}
        {isLine && <bdi class="place">{card.location}</bdi>}
        {card.is_archived && <StateWord icon="circle-minus">Archived</StateWord>}
      </span>
      {(card.next_step !== null || card.assigned_to !== null) && (
        <span class="lead-foot next">
          {card.next_step !== null && (
            <StateWord
              tone={card.is_due ? 'bad' : 'plain'}
              icon={card.is_due ? 'triangle-alert' : 'calendar'}
            >
              <span class="step">
                {card.due_at !== null && (
                  <>
                    <Moment at={card.due_at} before="Due " still isDay />
                    {': '}
                  </>
                )}
                <bdi>{card.next_step}</bdi>
              </span>
            </StateWord>
          )}
          {card.assigned_to !== null && (
            <StateWord icon="user">
              <bdi>{card.assigned_to}</bdi>
            </StateWord>
          )}
        </span>
      )}
      {card.attribution !== null && <span class="lead-foot">{card.attribution}</span>}
    </>
  )
}
