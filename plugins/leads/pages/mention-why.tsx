/** @jsxImportSource renown/web */
import { Card, formatCount, Moment } from 'renown/web'
import type { ShownMention } from './load-mention'
import { sentimentWords } from './mention-line'

const relevanceWords: Readonly<Record<string, string>> = {
  relevant: 'Relevant',
  maybe: 'Maybe relevant',
  irrelevant: 'Not relevant',
  not_judged: 'Not judged',
}

/** Why the mention was found, what its scores are based on, and what its source allows. */
export function MentionWhy({ of: mention }: { readonly of: ShownMention }) {
  const { relevance, intent, sentiment, keywords, tracker, note } = mention
  return (
    <Card title="Why it is here">
      <dl class="why">
        <div>
          <dt>Tracker</dt>
          <dd>
            <bdi>{tracker.name}</bdi>
            {', '}
            <bdi>{mention.location.name}</bdi>. Found <Moment at={mention.discovered_at} />.
            {note.label !== null && ` Source: ${note.label}.`}
          </dd>
        </div>
        <div>
          <dt>{formatCount(keywords.length, 'keyword matched', 'keywords matched')}</dt>
          <dd>
            {keywords.length === 0 ? (
              'The source chose this post for the tracker.'
            ) : (
              <bdi>{keywords.join(' · ')}</bdi>
            )}
          </dd>
        </div>
        <div>
          <dt>
            {relevance === null ? 'Relevance' : (relevanceWords[relevance.value] ?? relevance.value)}
            {relevance !== null && relevance.score !== null && <Score of={relevance.score} />}
          </dt>
          <dd dir="auto">
            {relevance === null ? 'Not judged yet.' : relevance.reason || 'No reason was stored.'}
          </dd>
        </div>
        <div>
          <dt>
            Intent to buy
            {intent !== null && <Score of={intent.score} method={intent.method} />}
          </dt>
          <dd dir="auto">
            {intent === null
              ? 'Not judged yet.'
              : intent.reason || 'Nothing in the text shows that its author wants to buy.'}
          </dd>
        </div>
        {sentiment !== null && (
          <div>
            <dt>Sentiment</dt>
            <dd>{sentimentWords[sentiment as keyof typeof sentimentWords]}</dd>
          </div>
        )}
        {note.rules.length > 0 && (
          <div>
            <dt>Rules of the source</dt>
            <dd>
              <ul class="rules">
                {note.rules.map((rule) => (
                  <li key={rule}>{rule}</li>
                ))}
              </ul>
              {note.terms_url !== null && (
                <a href={note.terms_url} rel="noopener noreferrer">
                  Terms
                </a>
              )}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

const Score = ({ of: score, method = '' }: { readonly of: number; readonly method?: string }) => (
  <span class="score">
    {`${score} of 100`}
    {method !== '' && <span class="unseen">{`, by ${method}`}</span>}
  </span>
)
