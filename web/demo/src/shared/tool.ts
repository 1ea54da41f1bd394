// Methods that become tools of a model. Schemas travel as text, so that a bus without schemas can carry them.

export interface Tool {
  readonly method: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: object;
  readonly output: object;
  readonly annotations: object;
}

/** The definition to register the method with. */
export const definitionOf = ({ method, name, title, description, input, output, annotations }: Tool) => ({
  name: method,
  displayName: title,
  description,
  flags: {
    ioIntelMCPTool: { name, title, inputSchema: JSON.stringify(input), outputSchema: JSON.stringify(output), annotations },
  },
});

export const clientId = { type: 'string', description: 'Id of the client, such as C-1001.' };
