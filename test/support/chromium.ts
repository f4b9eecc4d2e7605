import { type Browser, chromium } from 'playwright-core'
import { findProgram } from './programs'
import { fontConfiguration } from './test-fonts'

/** How long a page of a test may take on a busy machine. Playwright alone waits for 30 seconds. */
export const patienceMs = 60_000

/**
 * Starts the Chromium of the system, headless. The headless shell is the same engine without the windows of a desktop.
 * It needs less than half of the processor time, so it is preferred where it is installed. It sees only the fonts of the packages.
 */
export async function startChromium(): Promise<Browser> {
  const executablePath = findProgram('chromium-headless-shell') ?? findProgram('chromium')
  if (!executablePath) throw new Error('this machine has no chromium')
  const browser = await chromium.launch({
    executablePath,
    env: { ...stringsOf(process.env), FONTCONFIG_FILE: fontConfiguration() },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      // The headless shell then draws letters exactly as Chromium does on a desktop, so the golden pictures fit both.
      '--font-render-hinting=slight',
      // A visitor, not a robot: what is driven by a program says so in navigator.webdriver, and is not counted.
      '--disable-blink-features=AutomationControlled',
    ],
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(patienceMs)
    return context
  }
  return browser
}

/** The variables that are set. */
const stringsOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
