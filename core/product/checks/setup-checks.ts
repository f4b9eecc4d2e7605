import type { Mail } from '../../contracts/mail'
import type { Finding } from '../../contracts/self-check'
import { isServiceFault } from '../../contracts/service-fault'
import { where } from '../../contracts/where'
import { Connection } from '../../outbound/Connection'
import type { Documents } from '../../stores/documents/port'
import { Agency } from '../../tenancy/Agency'
import { formatCount } from '../../web/kit/browser/format'
import { advice } from './advice'

/** Connects to the mail server and signs in. Sends nothing. */
export async function mailCheck(mail: Mail): Promise<Finding> {
  if (!mail.isConfigured) {
    return {
      status: 'ok',
      found: 'not configured, so notifications and reports are not sent by email (SMTP_URL, MAIL_FROM)',
    }
  }
  try {
    await mail.verify()
    return { status: 'ok', found: `the mail server accepts mail from ${mail.from}` }
  } catch (error) {
    if (!isServiceFault(error)) throw error
    return { status: 'fail', found: error.message, mend: advice.mailServer }
  }
}

/** Whether the first start has created an agency. */
export async function agencyCheck(documents: Documents): Promise<Finding> {
  const count = await documents.collection(Agency).count(where.ne('is_demo', true))
  if (count > 0) return { status: 'ok', found: formatCount(count, 'agency', 'agencies') }
  return {
    status: 'warn',
    found: 'no agency exists yet',
    mend: advice.noAgency,
  }
}

/**
 * Whether data can come from an outside service: an account is connected, or the credentials in the settings
 * of a plugin are complete.
 */
export async function sourcesCheck(
  documents: Documents,
  pluginSettings: Readonly<Record<string, unknown>>,
): Promise<Finding> {
  const working = await documents.collection(Connection).count(where.eq('state', 'connected'))
  const credentials = Object.keys(pluginSettings)
    .filter((name) => /_(KEY|LOGIN|TOKEN)$/.test(name))
    .filter((name) => pluginSettings[name] !== '' && pluginSettings[name] !== undefined)
  if (working > 0 || credentials.length > 0) {
    const accounts = formatCount(working, 'connected account')
    return { status: 'ok', found: [accounts, ...credentials].join(', ') }
  }
  return {
    status: 'warn',
    found: 'no account is connected, so no reviews are read',
    mend: advice.noAccount,
  }
}
