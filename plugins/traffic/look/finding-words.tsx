/** @jsxImportSource renown/web */
import { Badge, type Children } from 'renown/web'
import { type Finding, type FindingCode, findingTones } from './site-findings'

export interface FindingListProps {
  /** The page that was looked at. */
  readonly page: string
  readonly findings: readonly Finding[]
}

/** What a look at a site found, and what to do about it. */
export function FindingList({ page, findings }: FindingListProps) {
  return (
    <section class="findings" aria-label="What was found">
      <p>
        Looked at <bdi>{page}</bdi>:
      </p>
      <ul class="signs">
        {findings.map((found, at) => {
          const tone = findingTones[found.code]
          return (
            <li key={at} data-finding={found.code}>
              <Badge tone={tone}>{tone === 'good' ? '✓ fine' : tone === 'warn' ? 'look' : '! mend'}</Badge>
              <span>{words[found.code](found)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type Words = (found: Finding) => Children

const Said = ({ children }: { readonly children: string | undefined }) => (
  <code>
    <bdi>{children}</bdi>
  </code>
)

const unfetched =
  (what: string): Words =>
  ({ detail }) => (
    <>
      {what} <Said>{detail}</Said>
    </>
  )

const words: Readonly<Record<FindingCode, Words>> = {
  site_off: () => 'The site is switched off, so that its script is not served. Switch it on under Sites.',
  ingest_local: ({ detail }) => (
    <>
      The counter is at <Said>{detail}</Said>, which only this machine can reach. Set{' '}
      <code>RENOWN_INGEST_URL</code> to an address that your visitors reach, and paste the new tag.
    </>
  ),
  mixed_content: ({ detail }) => (
    <>
      Your page is served by https and the counter, at <Said>{detail}</Said>, is not: browsers block that.
      Give the counter a certificate.
    </>
  ),
  page_refused: unfetched('This page cannot be looked at from here, only by your browser.'),
  page_unresolvable: unfetched('The domain is not found in the DNS. Is it spelled right?'),
  page_unreachable: unfetched('The site does not answer.'),
  page_certificate: unfetched('The certificate of the site is not valid, so browsers warn before it.'),
  page_timeout: unfetched('The site takes too long to answer.'),
  page_redirect: unfetched('The site redirects in a circle, or too often.'),
  page_too_large: unfetched('The page is too large to be looked at.'),
  page_malformed: unfetched('The site answers with something that is no page.'),
  page_elsewhere: ({ detail, wanted }) => (
    <>
      The page redirects to another domain, <Said>{detail}</Said>. Visits there are not of{' '}
      <Said>{wanted}</Said>: create a site for it.
    </>
  ),
  page_status: ({ detail }) => (
    <>
      The page answers with status <Said>{detail}</Said>. Choose a page that everybody may see.
    </>
  ),
  page_no_html: unfetched('The address leads to no web page, but to'),
  page_found: ({ detail }) => (
    <>
      The page is there: <Said>{detail}</Said>
    </>
  ),
  tag_found: ({ detail }) => (
    <>
      The tag is in it: <Said>{detail}</Said>
    </>
  ),
  tag_missing: () =>
    'The tag is not in the page as it is sent. Is the change published? A tag manager adds it later, which only your browser sees.',
  tag_as_text: () =>
    'The key stands in the page, but not as a script: an editor may have turned the tag into text, or it stands in a comment.',
  tag_other_key: ({ detail, wanted }) => (
    <>
      The page has the tag of another site, <Said>{detail}</Said>. This site's key is <Said>{wanted}</Said>.
    </>
  ),
  tag_held_back: ({ detail }) => (
    <>
      The tag has the type <Said>{detail}</Said>, so that it does not run: a consent manager holds it back.
    </>
  ),
  tag_module: () => (
    <>
      The tag is a module, which does not know its own address. Remove <code>type="module"</code>.
    </>
  ),
  tag_other_host: ({ detail, wanted }) => (
    <>
      The tag loads from <Said>{detail}</Said>, the counter is at <Said>{wanted}</Said>.
    </>
  ),
  from_cache: ({ detail }) => (
    <>
      The page came from a cache (<Said>{detail}</Said>), which may be older than the tag: purge it.
    </>
  ),
  csp_script: ({ detail, wanted }) => (
    <>
      The page's content security policy forbids the script: <Said>{detail}</Said>. Add <Said>{wanted}</Said>{' '}
      to <code>script-src</code>.
    </>
  ),
  csp_connect: ({ detail, wanted }) => (
    <>
      The page's content security policy forbids what the script sends: <Said>{detail}</Said>. Add{' '}
      <Said>{wanted}</Said> to <code>connect-src</code>.
    </>
  ),
  script_served: ({ detail }) => (
    <>
      The script is served by <Said>{detail}</Said>
    </>
  ),
  script_not_served: ({ detail, wanted }) => (
    <>
      The script is not served at <Said>{wanted}</Said>: <Said>{detail}</Said>
    </>
  ),
}
