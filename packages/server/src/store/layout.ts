/**
 * Where each table of the schema is in a database that Citus distributes. A new table belongs into one of the lists;
 * a test compares them with the database.
 */
export const layout = {
  /** Spread over the servers by `user_id`, all rows of a user at one server. The first gives the others its places. */
  distributed: ['counters', 'records', 'sync_log'],
  /** At the coordinator, in one transaction with what is distributed. */
  local: [
    'users',
    'sessions',
    'account_links',
    'oidc_identities',
    'second_factors',
    'recovery_codes',
    'tokens',
    'calendar_feeds',
    'webhooks',
    'webhook_deliveries',
    'passkeys',
    'jobs',
    'team_groups',
    'memberships',
    'former_names',
    'team_roles',
    'team_policies',
    'team_blocks',
    'team_trail',
    'team_facts',
    'decisions',
    'substitute_answers',
    'months',
    'month_sheets',
    'account_trail',
    'remarks',
    'proposals',
    'personnel',
    'payroll_mappings',
    'payroll_files',
  ],
  /** At the coordinator, unknown to Citus: no transaction writes them together with what is distributed alone. */
  plain: ['challenges', 'service_state', 'schema_level'],
} as const
