package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// password is an ephemeral value: neither plan nor state may keep it.
type password struct{}

type passwordModel struct {
	Name  types.String `tfsdk:"name"`
	Value types.String `tfsdk:"value"`
}

func (*password) Metadata(_ context.Context, _ ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = "drill_password"
}

func (*password) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"name":  schema.StringAttribute{Required: true},
		"value": schema.StringAttribute{Computed: true},
	}}
}

func (*password) Open(ctx context.Context, request ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	var given passwordModel
	response.Diagnostics.Append(request.Config.Get(ctx, &given)...)
	given.Value = types.StringValue("ephemeral-" + given.Name.ValueString())
	response.Diagnostics.Append(response.Result.Set(ctx, given)...)
}
