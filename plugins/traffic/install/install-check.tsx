/** @jsxImportSource renown/web */
import {
  Badge,
  Button,
  Card,
  type Children,
  Field,
  Form,
  Moment,
  Notice,
  type PageProps,
  Row,
  useLive,
  useState,
} from 'renown/web'
import { FindingList } from '../look/finding-words'
import { LookFault, useAutomaticLook } from './automatic-look'
import { queryOf } from './install-query'
import type { InstallData, InstallSite } from './installPage'
import { lineCounts, lineFaults } from './line-words'
import type { ShownLook } from './look-form'
import type { SiteSigns } from './site-signs'

type Props = PageProps<InstallData> & { readonly site: InstallSite }

/** The button that opens the site, and the result. */
export function InstallCheck({ site, path, csrf, outcome, data }: Props) {
  const [news, setNews] = useState<SiteSigns | null>(null)
  const [pressedAfter, setPressed] = useState<string | null>(null)
  const state = useLive<SiteSigns>(`/app/events/install?site=${encodeURIComponent(site.id)}`, setNews)
  const signs = news ?? site.signs
  const newest = signs.seen?.test_visits[0]?.at ?? ''
  const isWaiting = pressedAfter !== null && newest <= pressedAfter
  const automatic = useAutomaticLook({ isWaiting, path, csrf, site })
  const sent = outcome?.action === 'look' && outcome.ok ? (outcome.shown as ShownLook) : null
  const look = [automatic.found, sent].find((each) => each?.site_id === site.id)
  return (
    <Card
      id="check"
      title="2. The check"
      about="Open your site from here. The page reports the visit as a test, which is never counted."
    >
      <Address site={site} path={path} sender={data.sender?.page} />
      <Row>
        <a
          class="button primary"
          href={site.test_visit}
          target="_blank"
          rel="noopener"
          onClick={() => setPressed(newest)}
        >
          Open my site
        </a>
        <Form
          action={`${path}/look`}
          csrf={csrf}
          hidden={{ site: site.id, address: site.page, back: `${path}?${queryOf(data)}` }}
          label="Look"
        >
          <Button kind="plain">Check it from here</Button>
        </Form>
      </Row>
      <Signs signs={signs} isWaiting={isWaiting} isLost={state === 'lost'} />
      <LookFault {...automatic} />
      {look && <FindingList {...look} />}
      {(isWaiting || look !== undefined) && <Advice site={site} ingestUrl={data.ingest_url} />}
    </Card>
  )
}

function Address({
  site,
  path,
  sender,
}: Pick<Props, 'site' | 'path'> & { readonly sender: string | undefined }) {
  return (
    <details open={site.is_trial}>
      <summary>{site.page}</summary>
      <form method="get" action={path} aria-label="Another page">
        <input type="hidden" name="site" value={site.id} />
        {sender && <input type="hidden" name="sender" value={sender} />}
        <Field
          name="address"
          label="Address of a page with the tag"
          value={site.page}
          hint={
            site.is_trial
              ? 'This is a trial site, so you can use a page of any host.'
              : `On ${site.name} or a subdomain.`
          }
        />
        <Row>
          <Button kind="plain">Use this address</Button>
        </Row>
      </form>
    </details>
  )
}

interface SignsProps {
  readonly signs: SiteSigns
  readonly isWaiting: boolean
  readonly isLost: boolean
}

function Signs({ signs, isWaiting, isLost }: SignsProps) {
  const { seen, last_beacon_at, last_log_at } = signs
  const [visit] = seen?.test_visits ?? []
  return (
    <>
      {seen === null && (
        <Notice>
          The ingest runs in a separate process. Test visits appear only in its log. This page shows what was
          counted, some seconds later.
        </Notice>
      )}
      <ul class="signs" aria-live="polite">
        {seen && (
          <>
            <Sign name="Script found" at={seen.script_found_at}>
              The first page that loads the script appears here. Browsers cache it for a day.
            </Sign>
            <Sign name="Test visit" at={visit?.at} isWaiting={isWaiting} detail={visit?.path}>
              {isWaiting ? 'Waiting for your site to report the visit …' : 'Press “Open my site”.'}
            </Sign>
          </>
        )}
        <Sign name="Visit counted" at={last_beacon_at}>
          The first visit from an AI assistant appears here.
        </Sign>
        <LogSign lines={seen?.lines ?? null} at={last_log_at} />
      </ul>
      {isLost && <p class="hint">The connection was lost. Trying again …</p>}
    </>
  )
}

interface SignProps {
  readonly name: string
  readonly at: string | null | undefined
  readonly isWaiting?: boolean
  readonly detail?: string | undefined
  readonly children: Children
}

function Sign({ name, at, isWaiting = false, detail, children }: SignProps) {
  const isSeen = Boolean(at) && !isWaiting
  return (
    <li>
      <Badge tone={isSeen ? 'good' : isWaiting ? 'warn' : 'plain'}>
        {isSeen ? '✓ seen' : isWaiting ? 'waiting' : 'not yet'}
      </Badge>
      <strong>{name}</strong>
      <span class="hint">
        {isSeen ? (
          <>
            {detail && (
              <>
                <bdi class="brief" title={detail}>
                  {detail}
                </bdi>{' '}
              </>
            )}
            <Moment at={at ?? undefined} />
          </>
        ) : (
          children
        )}
      </span>
    </li>
  )
}

/** Shows whether lines of the log arrive, even without a crawler among them. */
function LogSign({
  lines,
  at,
}: {
  readonly lines: NonNullable<SiteSigns['seen']>['lines'] | null
  readonly at: string | null
}) {
  const read = lines ? lines.accepted + lines.ignored : 0
  const isUnread = lines !== null && read === 0 && lines.rejected > 0
  const isSeen = read > 0 || at !== null
  const mistakes = lines ? lineFaults(lines) : []
  return (
    <li>
      <Badge tone={isSeen ? 'good' : isUnread ? 'bad' : 'plain'}>
        {isSeen ? '✓ seen' : isUnread ? '! unreadable' : 'not yet'}
      </Badge>
      <strong>Log lines</strong>
      <span class="hint">
        {lines !== null && (read > 0 || isUnread) && <>{lineCounts(lines)} since the ingest started. </>}
        {isUnread && 'Renown does not recognize the log format. Compare your log with the set-up below.'}
        {mistakes.length > 0 && `${mistakes.slice(0, 3).join('. ')}. `}
        {at !== null && (
          <>
            Last hit <Moment at={at} />
          </>
        )}
        {!isSeen && !isUnread && 'The first lines of your log appear here.'}
      </span>
    </li>
  )
}

function Advice({ site, ingestUrl }: { readonly site: InstallSite; readonly ingestUrl: string }) {
  return (
    <Notice title="If nothing arrives">
      <ul>
        <li>
          <strong>Content security policy.</strong> Allow <code>{ingestUrl}</code> in <code>script-src</code>{' '}
          and <code>connect-src</code>.
        </li>
        <li>
          <strong>Cache.</strong> Purge the cache of your site and of its CDN, then reload. The page may be
          older than the tag.
        </li>
        <li>
          <strong>Blocker.</strong> Open the site in a window without extensions. Ad blockers may block the
          script.
        </li>
        <li>
          <strong>Domain.</strong>{' '}
          {site.is_trial
            ? 'This is a trial site, which accepts pages of any host. Create one for your domain under Sites.'
            : `Only visits of ${site.name} and its subdomains are counted.`}
        </li>
        <li>
          <strong>Consent.</strong> A consent manager may hold the script back until the visitor agrees.
        </li>
      </ul>
    </Notice>
  )
}
