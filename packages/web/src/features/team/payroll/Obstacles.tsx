import { Anchor, Button, Text } from '@mantine/core'
import { datesOfMonth, type Month, type PayrollFault, type PersonnelRow, type UserNumber } from '@saldo/core'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import rows from '../../../ui/rows.module.css'
import { pathOfPlace } from '../board/board-model.ts'
import { useIsHr } from '../company/useCompany.ts'
import classes from './PayrollView.module.css'
import { placeToSettle } from './payroll-model.ts'

interface Props {
  month: Month
  obstacles: readonly PayrollFault[]
  people: readonly PersonnelRow[]
  onLeaveOut: (user: UserNumber) => void
}

/** All that stands in the way of a file, with the place where each is settled; people can be left out instead. */
export function Obstacles({ month, obstacles, people, onLeaveOut }: Props) {
  const { t } = useTranslation()
  if (obstacles.length === 0) return <Text role="status">{t('team.payroll.files.settled')}</Text>
  return (
    <section className={classes.section} aria-label={t('team.payroll.files.obstaclesOf')}>
      <Text role="status" fw={600}>
        {t('team.payroll.files.obstacles', { count: obstacles.length })}
      </Text>
      <ul className={rows.list}>
        {obstacles.map((obstacle) => (
          <Obstacle
            key={`${obstacle.fault} ${obstacle.user_id} ${obstacle.detail}`}
            month={month}
            obstacle={obstacle}
            name={people.find(({ user_id }) => user_id === obstacle.user_id)?.name}
            onLeaveOut={onLeaveOut}
          />
        ))}
      </ul>
    </section>
  )
}

interface ObstacleProps extends Pick<Props, 'month' | 'onLeaveOut'> {
  obstacle: PayrollFault
  name: string | undefined
}

function Obstacle({ month, obstacle, name, onLeaveOut }: ObstacleProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isHr = useIsHr()
  const { fault, user_id: user, detail } = obstacle
  const person = name || detail
  // Only kinds of absence must have a rule; 'worked' stands for a mapping without any wage type.
  const key = fault === 'no_mapping' && detail === 'worked' ? 'no_wage_types' : fault
  const values = {
    name: person,
    detail,
    month: format.date(datesOfMonth(month).from, 'month'),
    sum: key === 'no_mapping' ? t(`entries.kind.${detail}`) : '',
  }
  const place = placeToSettle(obstacle)
  const isAllowed = isHr || place === 'mapping'
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div>{t(`team.payroll.fault.${key}`, values)}</div>
        <div className={rows.details}>
          {isAllowed ? (
            <Anchor
              component={Link}
              className={classes.link ?? ''}
              href={place === 'months' ? pathOfPlace(month) : `/team/payroll/${place}`}
            >
              {t(`team.payroll.settle.${fault}`)}
            </Anchor>
          ) : (
            t('team.payroll.settle.askHr')
          )}
        </div>
      </div>
      {user !== null && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${t('team.payroll.files.leaveOut')}: ${person}`}
          onClick={() => onLeaveOut(user)}
        >
          {t('team.payroll.files.leaveOut')}
        </Button>
      )}
    </li>
  )
}
