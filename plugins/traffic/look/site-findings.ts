/** The codes of findings with their tones. The page has their texts. */
export const findingTones = {
  site_off: 'bad',
  ingest_local: 'bad',
  mixed_content: 'bad',
  page_refused: 'warn',
  page_unresolvable: 'bad',
  page_unreachable: 'bad',
  page_certificate: 'bad',
  page_timeout: 'bad',
  page_redirect: 'bad',
  page_too_large: 'warn',
  page_malformed: 'bad',
  page_elsewhere: 'bad',
  page_status: 'bad',
  page_no_html: 'bad',
  page_found: 'good',
  tag_found: 'good',
  tag_missing: 'bad',
  tag_as_text: 'bad',
  tag_other_key: 'bad',
  tag_held_back: 'bad',
  tag_module: 'bad',
  tag_other_host: 'warn',
  from_cache: 'warn',
  csp_script: 'bad',
  csp_connect: 'bad',
  script_served: 'good',
  script_not_served: 'bad',
} as const satisfies Readonly<Record<string, 'good' | 'warn' | 'bad'>>

export type FindingCode = keyof typeof findingTones

/** One finding. Its details are shortened untrusted text. */
export interface Finding {
  readonly code: FindingCode
  readonly detail?: string
  /** A second detail, such as the expected value. */
  readonly wanted?: string
}

const detailMax = 200

/** Returns a finding with details of at most one line. */
export const finding = (code: FindingCode, detail?: string, wanted?: string): Finding => ({
  code,
  ...(detail === undefined ? {} : { detail: cut(detail) }),
  ...(wanted === undefined ? {} : { wanted: cut(wanted) }),
})

const cut = (text: string) => {
  const line = text.toWellFormed().replace(/\s+/g, ' ')
  return line.length > detailMax ? `${line.slice(0, detailMax)}…` : line
}
