import { Button } from '@mantine/core'
import { connect, type ServiceFacts } from '@saldo/client'
import type { UserNumber } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/ProblemText.tsx'

interface Props {
  providers: ServiceFacts['sign_in']['providers']
  /** The user of this device: nobody else is signed in then. */
  user?: UserNumber
  size?: string
}

/** Leads to the company's sign-in, from which the browser comes back to this view. */
export function CompanyButtons({ providers, user, size = 'sm' }: Props) {
  const { t } = useTranslation()
  const { isBusy, failure, attempt } = useAttempt({ unavailable: 'signIn.company.unavailable' })
  const leave = async (provider: string) => {
    const returnTo = location.pathname + location.search
    location.assign(await connect().companySignIn(provider, { returnTo, user }))
  }
  return (
    <>
      {failure && <ProblemText>{failure}</ProblemText>}
      {providers.map(({ id, label }) => (
        <Button key={id} variant="default" size={size} loading={isBusy} onClick={() => void attempt(leave(id))}>
          {t('signIn.company.button', { label })}
        </Button>
      ))}
    </>
  )
}
