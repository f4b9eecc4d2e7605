/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  Facts,
  Form,
  formatCount,
  Moment,
  Notice,
  OutLink,
  Quote,
  Row,
  StateWord,
  Timeline,
} from 'renown/web'
import { Posted } from '../pages/posted'
import { stageNames } from '../records/stage-names'
import { type LeadDetailProps, leadForm } from './lead-forms'
import { LeadPlan, LeadStage } from './lead-plan'
import type { ShownLead, ShownMention } from './load-lead'

/** Shows one lead: why it is one, its mentions, its contact details, and what people do with it. */
export function LeadDetail(props: LeadDetailProps) {
  const { of: lead, outcome } = props
  const isFieldFault = Object.keys(outcome?.faults ?? {}).length > 0
  return (
    <>
      <Card title={<bdi>{lead.who ?? 'Unknown author'}</bdi>}>
        <div class="facts-line">
          <StateWord tone={lead.stage === 'won' ? 'good' : 'plain'}>{stageNames[lead.stage]}</StateWord>
          <span class="source-mark">{lead.channel}</span>
          <bdi>{lead.location}</bdi>
          <Moment at={lead.created_at} before="Found " />
          {lead.is_archived && <StateWord icon="circle-minus">Archived</StateWord>}
        </div>
        {outcome?.ok === false && !isFieldFault && (
          <Notice tone="bad" title="This was not done">
            {outcome.fault}
          </Notice>
        )}
        {lead.stale_days !== null && (
          <Notice tone="warn" title="The post is old">
            {`It was ${formatCount(lead.stale_days, 'day')} old when Renown found it. The person may not need an answer any more.`}
          </Notice>
        )}
        <Why of={lead} />
        <LeadStage {...props} />
        <Row>
          {lead.is_seen ? (
            <span class="hint">
              Seen <Moment at={lead.seen_at ?? undefined} />
            </span>
          ) : (
            <Form {...leadForm(props, 'see')} label="Seen" inline>
              <Button kind="plain">Mark as seen</Button>
            </Form>
          )}
          <Form {...leadForm(props, lead.is_archived ? 'unarchive' : 'archive')} label="Archive" inline>
            <Button kind="plain">{lead.is_archived ? 'Take out of the archive' : 'Archive lead'}</Button>
          </Form>
        </Row>
      </Card>
      <Mentions of={lead} />
      <Contacts of={lead} />
      <LeadPlan {...props} />
      <History of={lead} />
    </>
  )
}

function Why({ of: lead }: { readonly of: ShownLead }) {
  return (
    <Facts
      of={[
        [
          'Intent',
          <>
            {`${lead.score} of 100. `}
            <span dir="auto">{lead.reason ?? 'No reason was recorded.'}</span>
          </>,
        ],
        ...(lead.method === null ? [] : [['Method', <code key="method">{lead.method}</code>] as const]),
        ...(lead.lost_reason === null
          ? []
          : [['Lost because', <bdi key="lost">{lead.lost_reason}</bdi>] as const]),
        ...(lead.stage_changed_at === null
          ? []
          : [['In this stage since', <Moment key="since" at={lead.stage_changed_at} />] as const]),
      ]}
    />
  )
}

function Mentions({ of: lead }: { readonly of: ShownLead }) {
  const { source, mentions } = lead
  return (
    <Card title={mentions.length === 1 ? 'Mention' : 'Mentions of this person'}>
      {mentions.length === 0 && <p class="hint">The mention of this lead was deleted.</p>}
      {mentions.map((mention) => (
        <MentionPart key={mention.id} of={mention} mayReply={source.may_reply} />
      ))}
      {lead.has_more_mentions && <p class="hint">{`The newest ${mentions.length} are shown.`}</p>}
      {source.attribution !== null && <p class="hint">{source.attribution}</p>}
      {source.rules.length > 0 && (
        <ul class="rules" aria-label={`Terms of ${source.label ?? source.channel}`}>
          {source.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function MentionPart({ of: mention, mayReply }: { readonly of: ShownMention; readonly mayReply: boolean }) {
  const page = `/app/mentions?${new URLSearchParams({ state: 'any', relevance: 'any', mention: mention.id })}`
  const lang = mention.lang ?? undefined
  return (
    <div class="mention-part">
      <div class="facts-line">
        <span class="source-mark">{mention.channel}</span>
        <Posted at={mention.posted_at} before="Posted " />
      </div>
      {mention.missing === null ? (
        <>
          {mention.title !== '' && (
            <p class="mention-title" dir="auto" lang={lang}>
              {mention.title}
            </p>
          )}
          {mention.text !== '' && <Quote text={mention.text} lang={lang} marks={mention.marks} />}
        </>
      ) : (
        <p class="hint">{mention.missing}</p>
      )}
      {mention.draft !== '' && (
        <div class="draft-part">
          <p class="hint">Draft of a reply. It is not sent.</p>
          <Quote text={mention.draft} />
        </div>
      )}
      <p>
        <OutLink href={mention.url}>Open the post</OutLink>
        {' · '}
        <a href={page}>{mention.draft === '' && mayReply ? 'Draft a reply' : 'Open the mention'}</a>
      </p>
    </div>
  )
}

function Contacts({ of: { contacts } }: { readonly of: ShownLead }) {
  return (
    <Card title="Contact details" about="Only from public text, marked in it.">
      {contacts.length === 0 ? (
        <p class="hint">Renown read none from the public text.</p>
      ) : (
        <Facts
          of={contacts.map(({ label, value, place }) => [
            label,
            <>
              <bdi>{value}</bdi>
              <span class="hint">{place === null ? ' · not from the text' : ` · in the ${place}`}</span>
            </>,
          ])}
        />
      )}
    </Card>
  )
}

function History({ of: lead }: { readonly of: ShownLead }) {
  return (
    <Card title="History">
      <Timeline
        label="What people did with this lead"
        events={[
          ...lead.history.map(({ at, what, by }) => ({
            at,
            what: (
              <>
                {what} <bdi class="hint">{by}</bdi>
              </>
            ),
          })),
          { at: lead.created_at, what: 'Found' },
        ]}
      />
    </Card>
  )
}
