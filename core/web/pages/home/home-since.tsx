/** @jsxImportSource ../../kit/jsx */
import type { HomeNews } from '../../../contracts/home'
import { ButtonLink, Card, Icon, Moment } from '../../kit/parts/kit'
import { StateWord } from '../../kit/parts/state-word'
import type { Attention } from './attention'
import type { SaidNews } from './home-cards'
import type { Look } from './home-visits'

interface SinceProps {
  readonly of: SaidNews
  readonly look: Look
}

const iconOf = {
  plain: 'circle-dot',
  good: 'circle-check',
  warn: 'clock',
  bad: 'triangle-alert',
} as const

/** Shows what changed since the person's last visit. */
export const Since = ({ of: { news, unread }, look: { since, isFirst } }: SinceProps) => (
  <Card
    title={isFirst ? 'In the last 7 days' : 'Since your last visit'}
    about={
      isFirst ? (
        'From your next visit on, this shows what changed since your last visit.'
      ) : (
        <Moment at={since} />
      )
    }
  >
    {news.length > 0 && (
      <ul class="brief">
        {news.map((one) => (
          <li key={one.text} class={one.tone ?? 'plain'}>
            <Icon name={iconOf[one.tone ?? 'plain']} />
            <NewsLink of={one} />
          </li>
        ))}
      </ul>
    )}
    {unread.length > 0 && (
      <p>
        <StateWord tone="bad">Unavailable</StateWord> {`${unread.join(', ')}: what is new could not be read.`}
      </p>
    )}
    {news.length === 0 && unread.length === 0 && <p class="hint">Nothing changed.</p>}
  </Card>
)

const NewsLink = ({ of: { text, href } }: { readonly of: HomeNews }) => <a href={href}>{text}</a>

/** Shows the problems, each with its next step. */
export const NeedsAttention = ({ of: { problems, isMore, unread } }: { readonly of: Attention }) => (
  <Card title="Needs attention">
    {problems.length > 0 && (
      <ul class="brief problems">
        {problems.map(({ key, title, about, at, link }) => (
          <li key={key}>
            <Icon name="circle-x" />
            <div>
              <div class="what">{title.text}</div>
              <div class="hint">
                {about !== undefined && `${about.text} · `}
                <Moment at={at} />
              </div>
            </div>
            <ButtonLink href={link?.href ?? `/app/inbox?entry=${encodeURIComponent(key)}`}>
              {link?.label.text ?? 'Open'}
              <span class="unseen">: {title.text}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    )}
    {unread.map(({ title }) => (
      <p key={title.text}>
        <StateWord tone="bad">Unavailable</StateWord> {`${title.text} could not be read.`}
      </p>
    ))}
    {problems.length === 0 && unread.length === 0 && (
      <p>
        <StateWord tone="good">No problems</StateWord>
      </p>
    )}
    {(isMore || problems.length > 0) && <a href="/app/inbox">Open the inbox</a>}
  </Card>
)
