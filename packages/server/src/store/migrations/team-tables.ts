import type { Words } from './words.ts'

/**
 * Returns the script of the tables of companies. Decisions, answers of substitutes, months, sheets, trails, remarks and
 * proposals belong to one user, and their keys begin with that user; the others are of all. Stored sheets and trails
 * refer to no user, since they outlive the account (D31.4).
 */
export function teamSchemaOf({ integer, text, numbered, table }: Words): string {
  return `
    CREATE TABLE team_groups (
      id ${numbered},
      parent_id ${integer},
      path ${text} NOT NULL,
      name ${text} NOT NULL,
      sees_members ${integer} NOT NULL,
      least_present ${integer},
      defaults ${text},
      created_at ${text} NOT NULL,
      UNIQUE (path),
      UNIQUE (parent_id, name)
    ) ${table};

    CREATE TABLE memberships (
      id ${numbered},
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      group_id ${integer} NOT NULL REFERENCES team_groups (id),
      from_date ${text} NOT NULL,
      until_date ${text},
      accepted_on ${text},
      created_at ${text} NOT NULL,
      UNIQUE (user_id, group_id, from_date)
    ) ${table};
    CREATE INDEX memberships_by_group ON memberships (group_id, user_id);

    CREATE TABLE former_names (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      email ${text} NOT NULL,
      PRIMARY KEY (company_id, user_id)
    ) ${table};
    CREATE INDEX former_names_by_user ON former_names (user_id);

    CREATE TABLE team_roles (
      id ${numbered},
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      role ${text} NOT NULL,
      group_id ${integer} NOT NULL REFERENCES team_groups (id),
      from_date ${text} NOT NULL,
      until_date ${text},
      stands_in_for ${integer} REFERENCES users (id) ON DELETE CASCADE,
      given_by ${integer},
      confirmed_by ${integer},
      confirmed_at ${text},
      first_confirmed_at ${text},
      created_at ${text} NOT NULL,
      UNIQUE (user_id, role, group_id, from_date)
    ) ${table};
    CREATE INDEX team_roles_by_group ON team_roles (group_id, role);
    CREATE INDEX team_roles_by_lead ON team_roles (stands_in_for);

    CREATE TABLE team_policies (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      number ${integer} NOT NULL,
      from_date ${text} NOT NULL,
      policy ${text} NOT NULL,
      given_by ${integer},
      created_at ${text} NOT NULL,
      PRIMARY KEY (company_id, number)
    ) ${table};

    CREATE TABLE team_blocks (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      number ${integer} NOT NULL,
      group_id ${integer} NOT NULL REFERENCES team_groups (id),
      from_date ${text} NOT NULL,
      to_date ${text} NOT NULL,
      reason ${text} NOT NULL,
      PRIMARY KEY (company_id, number)
    ) ${table};

    CREATE TABLE team_trail (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      number ${integer} NOT NULL,
      at ${text} NOT NULL,
      actor ${integer},
      kind ${text} NOT NULL,
      data ${text} NOT NULL,
      PRIMARY KEY (company_id, number)
    ) ${table};

    CREATE TABLE team_facts (
      user_id ${integer} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      company_id ${integer} NOT NULL,
      version ${integer} NOT NULL,
      time_zone ${text} NOT NULL,
      absences ${text} NOT NULL,
      requests ${text} NOT NULL,
      board ${text} NOT NULL,
      shown ${text} NOT NULL,
      shown_at ${text} NOT NULL,
      changed_at ${text} NOT NULL
    ) ${table};

    CREATE TABLE decisions (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      request_id ${text} NOT NULL,
      number ${integer} NOT NULL,
      company_id ${integer} NOT NULL,
      digest ${text} NOT NULL,
      stage ${integer} NOT NULL,
      outcome ${text} NOT NULL,
      state ${text} NOT NULL,
      reason ${text},
      decided_by ${integer} NOT NULL,
      is_own ${integer} NOT NULL,
      decided_at ${text} NOT NULL,
      PRIMARY KEY (user_id, request_id, number)
    ) ${table};

    CREATE TABLE substitute_answers (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      request_id ${text} NOT NULL,
      substitute ${integer} NOT NULL,
      from_date ${text} NOT NULL,
      to_date ${text} NOT NULL,
      answer ${text} NOT NULL,
      answered_at ${text} NOT NULL,
      PRIMARY KEY (user_id, request_id, substitute)
    ) ${table};

    CREATE TABLE months (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      month ${text} NOT NULL,
      company_id ${integer} NOT NULL,
      state ${text} NOT NULL,
      changed_by ${integer} NOT NULL,
      changed_at ${text} NOT NULL,
      reason ${text},
      digest ${text},
      PRIMARY KEY (user_id, month)
    ) ${table};

    CREATE TABLE month_sheets (
      user_id ${integer} NOT NULL,
      month ${text} NOT NULL,
      number ${integer} NOT NULL,
      company_id ${integer} NOT NULL,
      name ${text} NOT NULL,
      sheet ${text} NOT NULL,
      locked_by ${integer} NOT NULL,
      locked_at ${text} NOT NULL,
      PRIMARY KEY (user_id, month, number)
    ) ${table};
    CREATE INDEX month_sheets_by_company ON month_sheets (company_id, month);
    CREATE INDEX month_sheets_again ON month_sheets (company_id, month) WHERE number > 1;

    CREATE TABLE account_trail (
      user_id ${integer} NOT NULL,
      number ${integer} NOT NULL,
      company_id ${integer} NOT NULL,
      at ${text} NOT NULL,
      actor ${integer},
      kind ${text} NOT NULL,
      data ${text} NOT NULL,
      previous ${text} NOT NULL,
      hash ${text} NOT NULL,
      PRIMARY KEY (user_id, number)
    ) ${table};
    CREATE INDEX account_trail_by_company ON account_trail (company_id, at);

    CREATE TABLE remarks (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      id ${text} NOT NULL,
      company_id ${integer} NOT NULL,
      month ${text} NOT NULL,
      text ${text} NOT NULL,
      created_at ${text} NOT NULL,
      PRIMARY KEY (user_id, id)
    ) ${table};

    CREATE TABLE proposals (
      user_id ${integer} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      id ${text} NOT NULL,
      company_id ${integer} NOT NULL,
      proposed_by ${integer} NOT NULL,
      proposed_at ${text} NOT NULL,
      reason ${text} NOT NULL,
      changes ${text} NOT NULL,
      state ${text} NOT NULL,
      answered_at ${text},
      overridden_at ${text},
      PRIMARY KEY (user_id, id)
    ) ${table};

    CREATE TABLE personnel (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      user_id ${integer} NOT NULL,
      number ${text} NOT NULL,
      cost_centre ${text} NOT NULL,
      entry_date ${text},
      exit_date ${text},
      PRIMARY KEY (company_id, user_id)
    ) ${table};

    CREATE TABLE payroll_mappings (
      company_id ${integer} PRIMARY KEY REFERENCES team_groups (id),
      mapping ${text} NOT NULL
    ) ${table};

    CREATE TABLE payroll_files (
      company_id ${integer} NOT NULL REFERENCES team_groups (id),
      number ${integer} NOT NULL,
      month ${text} NOT NULL,
      made_by ${integer} NOT NULL,
      made_at ${text} NOT NULL,
      input_digest ${text} NOT NULL,
      digest ${text} NOT NULL,
      encoding ${text} NOT NULL,
      content ${text} NOT NULL,
      amounts ${text} NOT NULL,
      PRIMARY KEY (company_id, number)
    ) ${table};
  `
}
