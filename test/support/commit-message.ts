const titleMax = 72
/** Verbs that end like a past form, a participle or a third person, and are none. */
const imperatives = new Set(
  'address bring bypass compress cross discuss embed express feed focus guess need pass press process read seed shed speed spread stress string toss'.split(
    ' ',
  ),
)

/** What is wrong with a commit message: its title is `area: what changes, imperative`, and its body says why. Empty where it is right. */
export function messageFaults(message: string): string[] {
  const lines = message.split('\n').filter((line) => !line.startsWith('#'))
  const [title = '', second = '', ...body] = lines
  if (/^(Merge|Revert|fixup!|squash!) /.test(title)) return []
  const [, area, text = ''] = /^([^:]*): (.*)$/.exec(title) ?? []
  const verb = /^[a-z]+/.exec(text)?.[0] ?? ''
  const faults: string[] = []
  if (area === undefined || !/^[a-z][a-z0-9 ,./-]*$/.test(area))
    faults.push(
      'The title starts with the area and a colon: "ingest: drop the dedup table to one byte per id".',
    )
  if (title.length > titleMax)
    faults.push(`The title has ${title.length} characters. It may have ${titleMax}.`)
  if (area !== undefined && (verb === '' || (/(?:s|ed|ing)$/.test(verb) && !imperatives.has(verb))))
    faults.push(
      `After the area comes a verb in the imperative, such as "add" or "refuse", not "${verb || text}".`,
    )
  if (/[.!]$/.test(title)) faults.push('The title ends without a full stop.')
  if (second.trim() !== '') faults.push('The second line is empty.')
  if (!body.some((line) => line.trim() !== '')) faults.push('The body says why, after an empty line.')
  return faults
}
