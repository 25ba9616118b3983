import type { BrowserContext, Page } from 'playwright-core'

/** Gives the browser an authenticator such as a telephone has. Returns what says whether its owner agrees. */
export async function giveAuthenticator(
  context: BrowserContext,
  page: Page,
): Promise<(isVerified: boolean) => Promise<void>> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async (isUserVerified) =>
    void (await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }))
}
